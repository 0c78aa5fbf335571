"""Connected applications of an account: the read, and what their events write."""

from domain.oauth import AppConnected, AppDisconnected, ConnectedApp
from domain.questions import AppsOf
from persistence.fragments import USER
from persistence.statements import Reads, Writes, many

_APPS = f"""
select json_agg(to_json(p) order by p.connected_at desc, p.id desc) from connected_app p where p.user_id = {USER}"""

# Approved again, perhaps for another redirect URI: the same application, in whatever organization it is now.
_APP_CONNECTED = (
    """
insert into connected_app (id, user_id, client_id, name, scope, resource, redirect_uri, organization_id, connected_at)
values (%(app_id)s::uuid, %(app_user_id)s::uuid, %(app_client_id)s, %(app_name)s, %(app_scope)s, %(app_resource)s,
    %(app_redirect_uri)s, %(app_organization_id)s::uuid, %(app_connected_at)s)
on conflict (user_id, client_id, scope, resource) do update
    set redirect_uri = excluded.redirect_uri, organization_id = excluded.organization_id""",
)

_APP_DISCONNECTED = ("delete from connected_app where id = %(app_id)s::uuid and user_id = %(user_id)s::uuid",)

READS: Reads = {
    AppsOf: many(AppsOf, ConnectedApp, _APPS),
}

WRITES: Writes = {
    AppConnected: _APP_CONNECTED,
    AppDisconnected: _APP_DISCONNECTED,
}
