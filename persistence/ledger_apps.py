"""What the events about connected applications write. The arguments are as in `persistence.ledger_items`."""

# Approved again, perhaps for another redirect URI: the same application, in whatever organization it is now.
APP_CONNECTED = (
    """
insert into connected_app (id, user_id, client_id, name, scope, redirect_uri, organization_id, connected_at)
values (%(app_id)s::uuid, %(app_user_id)s::uuid, %(app_client_id)s, %(app_name)s, %(app_scope)s, %(app_redirect_uri)s,
    %(app_organization_id)s::uuid, %(app_connected_at)s)
on conflict (user_id, client_id, scope) do update
    set redirect_uri = excluded.redirect_uri, organization_id = excluded.organization_id""",
)
APP_DISCONNECTED = ("delete from connected_app where id = %(app_id)s::uuid and user_id = %(user_id)s::uuid",)
