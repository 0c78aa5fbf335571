create function name_grams(name text) returns text[] language sql immutable strict parallel safe cost 5000
return array(
    select distinct substr(folded, place, size)
    from lower(name collate "default") folded, generate_series(1, length(folded)) place, generate_series(1, 3) size
    where place + size <= length(folded) + 1);

create function name_words(folded text) returns tsvector language sql immutable strict parallel safe cost 1000
return array_to_tsvector(array_remove(string_to_array(split_part(folded, chr(10), 3), ' '), ''));

CREATE TABLE account (
    id UUID NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    sort_key TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    email_verified_at TIMESTAMP WITH TIME ZONE,
    password_hash TEXT COLLATE "C",
    disabled_at TIMESTAMP WITH TIME ZONE,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (email)
);

CREATE TABLE blob_removal (
    key TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (key)
);

CREATE TABLE cursor_key (
    single BOOLEAN DEFAULT true NOT NULL,
    key BYTEA NOT NULL,
    PRIMARY KEY (single),
    CONSTRAINT single_row CHECK (single)
);

CREATE TABLE event (
    sequence BIGINT GENERATED ALWAYS AS IDENTITY,
    type TEXT COLLATE "C" NOT NULL,
    drive_id UUID,
    item_id UUID,
    user_id UUID NOT NULL,
    agent TEXT COLLATE "C",
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    details JSONB NOT NULL,
    transaction_id xid8 DEFAULT pg_current_xact_id() NOT NULL,
    snapshot pg_snapshot DEFAULT pg_current_snapshot(),
    PRIMARY KEY (sequence)
);

CREATE INDEX event_news ON event (transaction_id, sequence);

CREATE INDEX event_news_of_drive ON event (drive_id, transaction_id, sequence);

CREATE INDEX event_of_agent ON event (user_id, agent, sequence) WHERE agent is not null and type = 'documentEdited';

CREATE INDEX event_of_drive ON event (drive_id, sequence);

CREATE TABLE node (
    id BIGINT GENERATED ALWAYS AS IDENTITY,
    renewed_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    heard pg_snapshot DEFAULT pg_current_snapshot() NOT NULL,
    host TEXT COLLATE "C" DEFAULT '' NOT NULL,
    pid BIGINT DEFAULT 0 NOT NULL,
    taken_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    revision TEXT COLLATE "C" DEFAULT '' NOT NULL,
    common JSONB DEFAULT '{}' NOT NULL,
    sessions TEXT COLLATE "C" DEFAULT '' NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE oauth_client (
    id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    redirect_uris TEXT[] COLLATE "C" NOT NULL,
    refreshes BOOLEAN NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (id)
);

CREATE TABLE organization (
    id UUID NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    sort_key TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE outbox (
    id BIGINT GENERATED ALWAYS AS IDENTITY,
    kind TEXT COLLATE "C" NOT NULL,
    details JSONB NOT NULL,
    attempts INTEGER DEFAULT 0 NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    outcome TEXT COLLATE "C",
    PRIMARY KEY (id),
    CONSTRAINT outcome_known CHECK (outcome in ('sent', 'dropped', 'given_up'))
);

CREATE INDEX outbox_due ON outbox (due_at) WHERE outcome is null;

CREATE TABLE schema_support (
    single BOOLEAN DEFAULT true NOT NULL,
    oldest TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (single),
    CONSTRAINT single_row CHECK (single)
);

CREATE TABLE service_origin (
    single BOOLEAN DEFAULT true NOT NULL,
    origin TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (single),
    CONSTRAINT single_row CHECK (single)
);

CREATE UNLOGGED TABLE ticket (
    digest TEXT COLLATE "C" NOT NULL,
    opens TEXT COLLATE "C" NOT NULL,
    holder BYTEA NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (digest)
);

CREATE INDEX ix_ticket_expires_at ON ticket (expires_at);

CREATE TABLE worker_progress (
    worker TEXT COLLATE "C" NOT NULL,
    snapshot pg_snapshot NOT NULL,
    at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    PRIMARY KEY (worker)
);

CREATE TABLE api_key (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C",
    organization_id UUID,
    prefix TEXT COLLATE "C" NOT NULL,
    last_four TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE,
    revoked_at TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (id),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE,
    UNIQUE (digest),
    FOREIGN KEY(organization_id) REFERENCES organization (id) ON DELETE SET NULL
);

CREATE INDEX ix_api_key_user_id ON api_key (user_id);

CREATE TABLE connected_app (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    scope TEXT COLLATE "C" NOT NULL,
    resource TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    organization_id UUID,
    connected_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_used_at TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (id),
    UNIQUE (user_id, client_id, scope, resource),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE,
    FOREIGN KEY(client_id) REFERENCES oauth_client (id) ON DELETE CASCADE,
    FOREIGN KEY(organization_id) REFERENCES organization (id) ON DELETE SET NULL
);

CREATE INDEX ix_connected_app_client_id ON connected_app (client_id);

CREATE TABLE drive (
    id UUID NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    sort_key TEXT COLLATE "C" NOT NULL,
    organization_id UUID,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    depth INTEGER DEFAULT 0 NOT NULL,
    items INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT kind_known CHECK (kind in ('personal', 'shared')),
    CONSTRAINT shared_in_organization CHECK ((kind = 'shared') = (organization_id is not null)),
    FOREIGN KEY(organization_id) REFERENCES organization (id)
);

CREATE INDEX ix_drive_organization_id ON drive (organization_id);

CREATE TABLE idempotency (
    user_id UUID NOT NULL,
    operation TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    result_id TEXT COLLATE "C" NOT NULL,
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (user_id, operation, key),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE
);

CREATE INDEX ix_idempotency_at ON idempotency (at);

CREATE TABLE invitation (
    id UUID NOT NULL,
    organization_id UUID NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    mailed BOOLEAN DEFAULT false NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT role_known CHECK (role in ('admin', 'member')),
    FOREIGN KEY(organization_id) REFERENCES organization (id) ON DELETE CASCADE,
    UNIQUE (digest)
);

CREATE INDEX ix_invitation_organization_id ON invitation (organization_id);

CREATE TABLE link (
    id UUID NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    user_id UUID,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    mailed BOOLEAN DEFAULT false NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT purpose_known CHECK (purpose in ('sign_in', 'sign_up', 'reset_password', 'verify_email')),
    UNIQUE (digest),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE
);

CREATE INDEX ix_link_user_id ON link (user_id);

CREATE TABLE organization_member (
    organization_id UUID NOT NULL,
    user_id UUID NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    joined_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (organization_id, user_id),
    CONSTRAINT role_known CHECK (role in ('admin', 'member')),
    FOREIGN KEY(organization_id) REFERENCES organization (id) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE
);

CREATE INDEX ix_organization_member_user_id ON organization_member (user_id);

CREATE TABLE web_session (
    id UUID NOT NULL,
    user_id UUID NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    organization_id UUID,
    device TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    last_seen_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE,
    UNIQUE (digest),
    FOREIGN KEY(organization_id) REFERENCES organization (id) ON DELETE SET NULL
);

CREATE INDEX ix_web_session_user_id ON web_session (user_id);

CREATE TABLE drive_member (
    drive_id UUID NOT NULL,
    user_id UUID NOT NULL,
    role TEXT COLLATE "C" NOT NULL,
    added_at TIMESTAMP WITH TIME ZONE NOT NULL,
    given_by UUID,
    PRIMARY KEY (drive_id, user_id),
    CONSTRAINT role_known CHECK (role in ('owner', 'manager', 'contributor')),
    FOREIGN KEY(drive_id) REFERENCES drive (id) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE,
    FOREIGN KEY(given_by) REFERENCES account (id)
);

CREATE INDEX ix_drive_member_user_id ON drive_member (user_id);

CREATE TABLE drive_storage (
    drive_id UUID NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (drive_id),
    FOREIGN KEY(drive_id) REFERENCES drive (id) ON DELETE CASCADE
);

CREATE INDEX ix_drive_storage_bytes ON drive_storage (bytes);

CREATE TABLE item (
    id UUID NOT NULL,
    drive_id UUID NOT NULL,
    parent_id UUID,
    kind TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    sort_key TEXT COLLATE "C" NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    updated_at TIMESTAMP WITH TIME ZONE NOT NULL,
    created_by_user UUID NOT NULL,
    created_by_agent TEXT COLLATE "C",
    updated_by_user UUID NOT NULL,
    updated_by_agent TEXT COLLATE "C",
    slug TEXT COLLATE "C",
    trashed_at TIMESTAMP WITH TIME ZONE,
    sequence BIGINT DEFAULT 0 NOT NULL,
    children INTEGER DEFAULT 0 NOT NULL,
    folded_name TEXT COLLATE "C",
    PRIMARY KEY (id),
    CONSTRAINT kind_known CHECK (kind in ('folder', 'docs_workbook', 'viz_workbook')),
    FOREIGN KEY(drive_id) REFERENCES drive (id) ON DELETE CASCADE,
    FOREIGN KEY(parent_id) REFERENCES item (id),
    FOREIGN KEY(created_by_user) REFERENCES account (id),
    FOREIGN KEY(updated_by_user) REFERENCES account (id)
)
 WITH (fillfactor = 90);

CREATE INDEX item_children ON item (parent_id, trashed_at);

CREATE INDEX item_children_by_name ON item (parent_id, sort_key, id) WHERE trashed_at is null;

CREATE INDEX item_created_by ON item (created_by_user, coalesce(created_by_agent, ''), id);

CREATE INDEX item_in_trash ON item (drive_id, trashed_at) WHERE trashed_at is not null;

CREATE INDEX item_name_grams ON item USING gin (name_grams(coalesce(folded_name, name))) WITH (fastupdate = off);

CREATE INDEX item_name_words ON item USING gin (name_words(folded_name)) WITH (fastupdate = off);

CREATE INDEX item_of_drive ON item (drive_id, id);

CREATE INDEX item_roots_by_name ON item (drive_id, sort_key, id) WHERE parent_id is null and trashed_at is null;

CREATE UNIQUE INDEX item_slug ON item (slug) WHERE slug is not null;

CREATE INDEX item_unfolded ON item (id) WHERE folded_name is null;

CREATE TABLE oauth_family (
    id UUID NOT NULL,
    app_id UUID NOT NULL,
    begun_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(app_id) REFERENCES connected_app (id) ON DELETE CASCADE
);

CREATE INDEX ix_oauth_family_app_id ON oauth_family (app_id);

CREATE TABLE oauth_request (
    digest TEXT COLLATE "C" NOT NULL,
    user_id UUID NOT NULL,
    session_id UUID NOT NULL,
    client_id TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C",
    scope TEXT COLLATE "C" NOT NULL,
    resource TEXT COLLATE "C" NOT NULL,
    challenge TEXT COLLATE "C" NOT NULL,
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (digest),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE,
    FOREIGN KEY(session_id) REFERENCES web_session (id) ON DELETE CASCADE,
    FOREIGN KEY(client_id) REFERENCES oauth_client (id) ON DELETE CASCADE
);

CREATE INDEX ix_oauth_request_client_id ON oauth_request (client_id);

CREATE INDEX ix_oauth_request_session_id ON oauth_request (session_id);

CREATE INDEX ix_oauth_request_user_id ON oauth_request (user_id);

CREATE TABLE compaction_due (
    item_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    due_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (item_id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE INDEX ix_compaction_due_due_at ON compaction_due (due_at);

CREATE TABLE document_author (
    item_id UUID NOT NULL,
    user_id UUID NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    edited_at TIMESTAMP WITH TIME ZONE NOT NULL,
    first_edited_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
    PRIMARY KEY (item_id, user_id, agent),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id)
);

CREATE INDEX document_author_of_user ON document_author (user_id, agent, item_id);

CREATE TABLE document_link (
    item_id UUID NOT NULL,
    linked_id UUID NOT NULL,
    PRIMARY KEY (item_id, linked_id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE,
    FOREIGN KEY(linked_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE INDEX document_link_to ON document_link (linked_id, item_id);

CREATE TABLE document_quarantine (
    item_id UUID NOT NULL,
    strikes INTEGER NOT NULL,
    sequence BIGINT NOT NULL,
    since TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (item_id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE TABLE document_snapshot (
    item_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    state BYTEA NOT NULL,
    credits BYTEA,
    rows_from BIGINT,
    PRIMARY KEY (item_id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE TABLE document_storage (
    item_id UUID NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (item_id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE TABLE document_text (
    item_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    passages TEXT[] COLLATE "C" NOT NULL,
    folded TEXT[] COLLATE "C" NOT NULL,
    words TSVECTOR NOT NULL,
    PRIMARY KEY (item_id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE INDEX ix_document_text_words ON document_text USING gin (words);

CREATE TABLE document_update (
    item_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    user_id UUID NOT NULL,
    agent TEXT COLLATE "C",
    at TIMESTAMP WITH TIME ZONE NOT NULL,
    update BYTEA NOT NULL,
    copied BYTEA,
    PRIMARY KEY (item_id, sequence),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id)
);

CREATE TABLE document_version (
    item_id UUID NOT NULL,
    number INTEGER NOT NULL,
    sequence BIGINT NOT NULL,
    name TEXT COLLATE "C",
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    byte_size INTEGER NOT NULL,
    restored_from INTEGER,
    whole BOOLEAN DEFAULT false NOT NULL,
    state BYTEA,
    PRIMARY KEY (item_id, number),
    UNIQUE (item_id, sequence),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE TABLE image (
    id UUID NOT NULL,
    item_id UUID NOT NULL,
    content_type TEXT COLLATE "C" NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    byte_size INTEGER NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    blob UUID NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE INDEX ix_image_blob ON image (blob);

CREATE INDEX ix_image_item_id ON image (item_id);

CREATE TABLE item_grant (
    item_id UUID NOT NULL,
    email TEXT COLLATE "C" NOT NULL,
    user_id UUID,
    permission TEXT COLLATE "C" NOT NULL,
    given_by UUID NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (item_id, email),
    CONSTRAINT permission_known CHECK (permission in ('read_write', 'read_only')),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id),
    FOREIGN KEY(given_by) REFERENCES account (id)
);

CREATE INDEX item_grant_newest ON item_grant (user_id, created_at, item_id) WHERE user_id is not null;

CREATE UNIQUE INDEX item_grant_of_user ON item_grant (user_id, item_id) INCLUDE (permission) WHERE user_id is not null;

CREATE INDEX item_grant_waiting ON item_grant (email) WHERE user_id is null;

CREATE INDEX ix_item_grant_given_by ON item_grant (given_by);

CREATE TABLE item_star (
    user_id UUID NOT NULL,
    item_id UUID NOT NULL,
    starred_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (user_id, item_id),
    FOREIGN KEY(user_id) REFERENCES account (id) ON DELETE CASCADE,
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE
);

CREATE INDEX item_star_newest ON item_star (user_id, starred_at, item_id);

CREATE INDEX ix_item_star_item_id ON item_star (item_id);

CREATE TABLE oauth_secret (
    digest TEXT COLLATE "C" NOT NULL,
    family_id UUID NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    redirect_uri TEXT COLLATE "C",
    challenge TEXT COLLATE "C",
    expires_at TIMESTAMP WITH TIME ZONE NOT NULL,
    spent_at TIMESTAMP WITH TIME ZONE,
    salt TEXT COLLATE "C",
    PRIMARY KEY (digest),
    CONSTRAINT kind_known CHECK (kind in ('access', 'refresh', 'code')),
    FOREIGN KEY(family_id) REFERENCES oauth_family (id) ON DELETE CASCADE
);

CREATE INDEX ix_oauth_secret_family_id ON oauth_secret (family_id);

CREATE TABLE shown_client_id (
    item_id UUID NOT NULL,
    client BIGINT NOT NULL,
    user_id UUID NOT NULL,
    agent TEXT COLLATE "C",
    until TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (item_id, client),
    FOREIGN KEY(item_id) REFERENCES item (id) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id)
);

CREATE TABLE document_version_author (
    item_id UUID NOT NULL,
    number INTEGER NOT NULL,
    user_id UUID NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    edited_at TIMESTAMP WITH TIME ZONE NOT NULL,
    PRIMARY KEY (item_id, number, user_id, agent),
    FOREIGN KEY(item_id, number) REFERENCES document_version (item_id, number) ON DELETE CASCADE,
    FOREIGN KEY(user_id) REFERENCES account (id)
);
