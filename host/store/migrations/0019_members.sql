-- Accounts of members, what they own, what is sent to them, and the accounts of administrators. Times are milliseconds since 1970; 0 is "never".
-- Tokens and codes are stored as digests only.

-- A member belongs to one site. `handle` names the member towards authenticators (passkeys). `account`, `email` and `mobile` are as they are
-- shown, '' without one; `member_names` has them as they are compared. `password` is a PHC string, '' for a member without a password.
CREATE TABLE members (
    site_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    handle TEXT NOT NULL,
    account TEXT NOT NULL,
    email TEXT NOT NULL,
    mobile TEXT NOT NULL,
    password TEXT NOT NULL,
    password_changed BIGINT NOT NULL,
    state TEXT NOT NULL,
    lang TEXT NOT NULL,
    name TEXT NOT NULL,
    region TEXT NOT NULL,
    major TEXT NOT NULL,
    institution TEXT NOT NULL,
    research_field TEXT NOT NULL,
    gender TEXT NOT NULL,
    photo TEXT NOT NULL,
    agreed BIGINT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    PRIMARY KEY (site_id, id),
    UNIQUE (site_id, handle)
);
CREATE INDEX members_by_use ON members (seen);

-- The names by which members sign in: account, e-mail address and mobile number in the form in which they are compared. One name belongs to one
-- member, whichever kind it has, so that an account name cannot pass for the address of somebody else.
CREATE TABLE member_names (
    site_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    member_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, name)
);
CREATE UNIQUE INDEX member_names_by_member ON member_names (site_id, member_id, kind);

-- Accounts at identity providers by which members sign in.
CREATE TABLE member_identities (
    site_id BIGINT NOT NULL,
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    member_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (site_id, provider, subject)
);
CREATE UNIQUE INDEX member_identities_by_member ON member_identities (site_id, member_id, provider);

-- Passkeys: `credential` is the identifier that the authenticator chose, `data` the public key with its counter, as JSON.
CREATE TABLE member_passkeys (
    site_id BIGINT NOT NULL,
    credential TEXT NOT NULL,
    id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    data TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (site_id, credential)
);
CREATE INDEX member_passkeys_by_member ON member_passkeys (site_id, member_id, id);

-- Sessions know their member; rows of before, and of an older version that still writes, have 0, and end within hours. `method` is how the
-- member proved to be the one, `client` what the list of sessions shows of the browser.
ALTER TABLE sessions ADD COLUMN id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN member_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN method TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN client TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_by_member ON sessions (site_id, member_id);

-- The latest code that was sent to a target (mobile number or e-mail address) for a purpose.
CREATE TABLE codes (
    site_id BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    target TEXT NOT NULL,
    digest TEXT NOT NULL,
    network TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    attempts_elsewhere BIGINT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (site_id, purpose, target)
);
CREATE INDEX codes_by_end ON codes (expires);

-- Values that are used once: captchas, ceremonies of passkeys, pending sign-ins, marks of what was used.
CREATE TABLE tickets (
    site_id BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    ticket TEXT NOT NULL,
    value TEXT NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (site_id, purpose, ticket)
);
CREATE INDEX tickets_by_end ON tickets (expires);

-- Failed attempts to sign in, by account and client network; the network '' has the sum over all networks. The account is a digest of the name
-- that was typed, whether anybody has it or not.
CREATE TABLE sign_in_attempts (
    site_id BIGINT NOT NULL,
    account TEXT NOT NULL,
    network TEXT NOT NULL,
    failures BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    PRIMARY KEY (site_id, account, network)
);
CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (latest);

-- Favourites. `title` and `address` are those at the time of collecting: they are shown when the item is gone. `words` is the title as keywords
-- are compared with it.
CREATE TABLE favourites (
    site_id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    item_type TEXT NOT NULL,
    item_id TEXT NOT NULL,
    title TEXT NOT NULL,
    address TEXT NOT NULL,
    words TEXT NOT NULL,
    added BIGINT NOT NULL,
    PRIMARY KEY (site_id, member_id, item_type, item_id)
);
CREATE INDEX favourites_by_time ON favourites (site_id, member_id, added);

-- What members viewed and downloaded: one row for each item, with the latest time. `act` is 'view' or 'download'.
CREATE TABLE member_uses (
    site_id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    act TEXT NOT NULL,
    item_type TEXT NOT NULL,
    item_id TEXT NOT NULL,
    id BIGINT NOT NULL,
    title TEXT NOT NULL,
    address TEXT NOT NULL,
    times BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    PRIMARY KEY (site_id, member_id, act, item_type, item_id)
);
CREATE INDEX member_uses_by_time ON member_uses (site_id, member_id, act, latest);
CREATE INDEX member_uses_by_age ON member_uses (latest);

-- Albums that members make.
CREATE TABLE member_albums (
    site_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    en_name TEXT NOT NULL,
    cover TEXT NOT NULL,
    words TEXT NOT NULL,
    created BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX member_albums_by_member ON member_albums (site_id, member_id, changed);

CREATE TABLE member_album_items (
    site_id BIGINT NOT NULL,
    album_id BIGINT NOT NULL,
    item_type TEXT NOT NULL,
    item_id TEXT NOT NULL,
    title TEXT NOT NULL,
    address TEXT NOT NULL,
    words TEXT NOT NULL,
    added BIGINT NOT NULL,
    PRIMARY KEY (site_id, album_id, item_type, item_id)
);

-- Pictures that members upload (portraits, covers of albums), decoded and written anew by the host. `id` cannot be guessed.
CREATE TABLE member_files (
    site_id BIGINT NOT NULL,
    id TEXT NOT NULL,
    member_id BIGINT NOT NULL,
    purpose TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    size BIGINT NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX member_files_by_member ON member_files (site_id, member_id, created);

-- Which comments on articles members wrote; the comments themselves are resources.
CREATE TABLE member_comments (
    site_id BIGINT NOT NULL,
    comment_id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, comment_id)
);
CREATE INDEX member_comments_by_member ON member_comments (site_id, member_id, comment_id);

-- Subscriptions of verified e-mail addresses; `member_id` is 0 for a reader who was not signed in. `address` is the e-mail address in the form
-- in which addresses are compared. `keywords` and `column_id` are '' for the types without them.
CREATE TABLE subscriptions (
    site_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    type TEXT NOT NULL,
    keywords TEXT NOT NULL,
    column_id TEXT NOT NULL,
    lang TEXT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (site_id, id),
    UNIQUE (site_id, address, type, keywords, column_id)
);
CREATE INDEX subscriptions_by_member ON subscriptions (site_id, member_id);
CREATE INDEX subscriptions_by_type ON subscriptions (site_id, type, column_id, id);

-- Searches that members saved; `alert` is 1 if new results are mailed.
CREATE TABLE saved_searches (
    site_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    alert BIGINT NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (site_id, id)
);
CREATE INDEX saved_searches_by_member ON saved_searches (site_id, member_id, id);
CREATE INDEX saved_searches_by_alert ON saved_searches (alert, site_id, id);

-- Which item concerns which subscription or saved search (`source`). A row stays after its mail was queued (`told`), so that no item reaches a
-- subscriber twice.
CREATE TABLE alerts (
    site_id BIGINT NOT NULL,
    source TEXT NOT NULL,
    source_id BIGINT NOT NULL,
    item_type TEXT NOT NULL,
    item_id TEXT NOT NULL,
    made BIGINT NOT NULL,
    told BIGINT NOT NULL,
    PRIMARY KEY (site_id, source, source_id, item_type, item_id)
);
CREATE INDEX alerts_untold ON alerts (told, site_id, source, source_id);

-- Mail and text messages that are to be sent. A row is written in the transaction that causes the message, and deleted when it was sent.
-- `member_id` is 0 for a message to somebody who is no member, and for a code; `address` is the recipient as names of members are compared.
-- Messages of rank 0 go before those of rank 1; one that has expired is not sent any more.
CREATE TABLE mail_outbox (
    id BIGINT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    member_id BIGINT NOT NULL,
    channel TEXT NOT NULL,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    address TEXT NOT NULL,
    payload TEXT NOT NULL,
    rank BIGINT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    error TEXT NOT NULL
);
CREATE INDEX mail_outbox_due ON mail_outbox (state, channel, rank, id);
CREATE INDEX mail_outbox_by_member ON mail_outbox (site_id, member_id);

-- Institutions whose readers have rights on a site: by the address of the client (`networks`, a JSON list of address ranges) and by members.
-- `until` is the end of the agreement, 0 without one.
CREATE TABLE institutions (
    site_id BIGINT NOT NULL,
    institution TEXT NOT NULL,
    name TEXT NOT NULL,
    networks TEXT NOT NULL,
    until BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (site_id, institution)
);
CREATE TABLE institution_members (
    site_id BIGINT NOT NULL,
    institution TEXT NOT NULL,
    member_id BIGINT NOT NULL,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (site_id, institution, member_id)
);
CREATE INDEX institution_members_by_member ON institution_members (site_id, member_id);

-- Administrators. They are no members, and their sessions are not those of readers. `address` is the e-mail address as it is compared. A role
-- holds for one site, or with site 0 for the installation.
CREATE TABLE administrators (
    id BIGINT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    password TEXT NOT NULL,
    password_changed BIGINT NOT NULL,
    state TEXT NOT NULL,
    created BIGINT NOT NULL,
    seen BIGINT NOT NULL
);
CREATE TABLE administrator_roles (
    administrator_id BIGINT NOT NULL,
    site_id BIGINT NOT NULL,
    role TEXT NOT NULL,
    granted BIGINT NOT NULL,
    granted_by TEXT NOT NULL,
    PRIMARY KEY (administrator_id, site_id)
);
CREATE TABLE administrator_invites (
    digest TEXT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL,
    email TEXT NOT NULL,
    site_id BIGINT NOT NULL,
    role TEXT NOT NULL,
    invited_by TEXT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
CREATE TABLE administrator_sessions (
    digest TEXT NOT NULL PRIMARY KEY,
    id BIGINT NOT NULL,
    administrator_id BIGINT NOT NULL,
    client TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL
);
CREATE INDEX administrator_sessions_by_administrator ON administrator_sessions (administrator_id);

INSERT INTO sequences (name, value) VALUES ('members', 0);
INSERT INTO sequences (name, value) VALUES ('member_objects', 0);
INSERT INTO sequences (name, value) VALUES ('sessions', 0);
INSERT INTO sequences (name, value) VALUES ('outbox', 0);
INSERT INTO sequences (name, value) VALUES ('outbox_claims', 0);
INSERT INTO sequences (name, value) VALUES ('alerts', 0);
INSERT INTO sequences (name, value) VALUES ('administrators', 0);
