// This file is auto-generated from plugin-sdk/wit by `npm run types -w @masthead/plugin`. Do not edit.

declare module 'masthead:plugin/access@0.1.0' {
  /**
   * Gives the permissions that hold from here on.
   */
  export function decide(context: Context, request: Request): Permissions;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * What a reader may do.
   */
  export interface Permissions {
    /**
     * May read full texts.
     */
    visitPower: boolean,
    /**
     * May download files.
     */
    downloadPower: boolean,
  }
  /**
   * What a decision may look at.
   */
  export interface Request {
    /**
     * `Referer` of the first request of the visit, or "".
     */
    referrer: string,
    /**
     * Whether the reader is signed in.
     */
    signedIn: boolean,
    /**
     * Name of the route that is asked for.
     */
    route: string,
    /**
     * What the site permits, as changed by the plugins before.
     */
    permissions: Permissions,
  }
}

declare module 'masthead:plugin/article-decorate@0.1.0' {
  /**
   * Gives what this plugin adds to the page of this article.
   */
  export function decorate(context: Context, article: Article): Additions;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  export type Article = import('masthead:plugin/types@0.1.0').Article;
  export type Badge = import('masthead:plugin/types@0.1.0').Badge;
  /**
   * A section after the article's own.
   */
  export interface Section {
    /**
     * Anchor: lower-case letters, digits and hyphens. The host puts the plugin's id in front.
     */
    id: string,
    /**
     * Heading in the page's language.
     */
    heading: string,
    /**
     * HTML. The host keeps text-level and block elements, lists, tables and links, and drops everything else.
     */
    html: string,
  }
  /**
   * A file to download.
   */
  export interface Download {
    /**
     * Name in the page's language.
     */
    label: string,
    /**
     * Path inside the site, such as `plugins/citation-export/ris?id=17`, or an https address.
     */
    href: string,
    /**
     * Media type, such as `application/x-research-info-systems`.
     */
    mediaType: string,
  }
  /**
   * What one plugin adds.
   */
  export interface Additions {
    /**
     * Marks beside the title, at most 8.
     */
    badges: Array<Badge>,
    /**
     * Sections, at most 8.
     */
    sections: Array<Section>,
    /**
     * Files, at most 16.
     */
    downloads: Array<Download>,
  }
}

declare module 'masthead:plugin/assistant@0.1.0' {
  /**
   * Gives the token that the panel puts into the frame's address; "" where the address takes none.
   */
  export function secureParameters(context: Context, request: Request): string;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * What is opened.
   */
  export interface Request {
    /**
     * Host name of the site.
     */
    host: string,
    /**
     * A question to begin with, or "".
     */
    query: string,
    /**
     * A text that the question is about, or "".
     */
    content: string,
    /**
     * Whether the reader is signed in.
     */
    signedIn: boolean,
  }
}

declare module 'masthead:plugin/clock@0.1.0' {
  /**
   * Milliseconds since 1970-01-01T00:00:00Z.
   */
  export function now(): bigint;
}

declare module 'masthead:plugin/content@0.1.0' {
  /**
   * The article with this number on this site.
   */
  export function byId(id: bigint): Article | undefined;
  /**
   * The article with this DOI on this site.
   */
  export function byDoi(doi: string): Article | undefined;
  /**
   * The latest articles, newest first; at most 50.
   */
  export function latest(limit: number): Array<Article>;
  /**
   * The article's full text as plain text, where readers may read it; at most 256 KiB.
   */
  export function fullText(id: bigint): string | undefined;
  /**
   * Passages in which the site's own search finds these words; at most 20.
   */
  export function search(text: string, limit: number): Array<Passage>;
  export type Article = import('masthead:plugin/types@0.1.0').Article;
  /**
   * A passage that was found.
   */
  export interface Passage {
    /**
     * The article.
     */
    article: bigint,
    /**
     * Path of the article's page.
     */
    path: string,
    /**
     * Title in the language of the page, else the original.
     */
    title: string,
    /**
     * Sentences around the words that were searched.
     */
    text: string,
  }
  /**
   * A failure of the host, in words.
   */
  export type Failure = string;
}

declare module 'masthead:plugin/events@0.1.0' {
  /**
   * Takes note. An error asks to be told again.
   */
  export function notify(context: Context, event: Event): void;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  export type Article = import('masthead:plugin/types@0.1.0').Article;
  /**
   * Something that happened.
   */
  export interface Event {
    /**
     * The same at every try.
     */
    id: string,
    /**
     * `article.published`, `article.updated`, `article.removed`, `settings.changed`.
     */
    kind: string,
    /**
     * When, as ISO 8601 in UTC.
     */
    time: string,
    /**
     * Number or key of what it is about.
     */
    subject: string,
    /**
     * The article that it is about, as it is now.
     */
    article?: Article,
    /**
     * Which try this is, from 1.
     */
    attempt: number,
  }
}

declare module 'masthead:plugin/head@0.1.0' {
  /**
   * Gives this plugin's tags; an empty list for none.
   */
  export function contribute(context: Context, page: Page): Array<Tag>;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  export type Article = import('masthead:plugin/types@0.1.0').Article;
  /**
   * The page.
   */
  export interface Page {
    /**
     * Its title.
     */
    title: string,
    /**
     * Its absolute address.
     */
    canonical: string,
    /**
     * The article that it shows.
     */
    article?: Article,
  }
  /**
   * `<meta name="..." content="...">` or, for names with a colon such as `og:title`, `<meta property="...">`.
   */
  export interface Meta {
    /**
     * Letters, digits and `. _ : -`. Names that steer the browser (`viewport`, `referrer`, `robots`, ...) are refused.
     */
    name: string,
    /**
     * The text.
     */
    content: string,
  }
  /**
   * `<link>`.
   */
  export interface Link {
    /**
     * `alternate`, `author`, `cite-as`, `collection`, `describedby`, `item`, `license`, `me`, `related` or `search`.
     */
    rel: string,
    /**
     * http(s) address.
     */
    href: string,
    /**
     * Media type, or "".
     */
    mediaType: string,
    /**
     * Title, or "".
     */
    title: string,
  }
  /**
   * A tag.
   */
  export type Tag = TagMeta | TagLink | TagJsonLd;
  /**
   * A meta tag.
   */
  export interface TagMeta {
    tag: 'meta',
    val: Meta,
  }
  /**
   * A link.
   */
  export interface TagLink {
    tag: 'link',
    val: Link,
  }
  /**
   * `<script type="application/ld+json">`: a JSON object as text.
   */
  export interface TagJsonLd {
    tag: 'json-ld',
    val: string,
  }
}

declare module 'masthead:plugin/http@0.1.0' {
  /**
   * Asks.
   */
  export function fetch(request: Request): Response;
  /**
   * Method.
   * # Variants
   *
   * ## `"get"`
   *
   * GET.
   * ## `"head"`
   *
   * HEAD.
   * ## `"post"`
   *
   * POST.
   * ## `"put"`
   *
   * PUT.
   * ## `"patch"`
   *
   * PATCH.
   * ## `"delete"`
   *
   * DELETE.
   */
  export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete';
  /**
   * Where the host puts a credential.
   */
  export type Place = PlaceHeader | PlaceQuery | PlaceForm;
  /**
   * Header of this name.
   */
  export interface PlaceHeader {
    tag: 'header',
    val: string,
  }
  /**
   * Query parameter of this name.
   */
  export interface PlaceQuery {
    tag: 'query',
    val: string,
  }
  /**
   * Field of this name in a form (`application/x-www-form-urlencoded`), after the body's own.
   */
  export interface PlaceForm {
    tag: 'form',
    val: string,
  }
  /**
   * A part of what is digested.
   */
  export type Part = PartText | PartSecret | PartBody;
  /**
   * This text.
   */
  export interface PartText {
    tag: 'text',
    val: string,
  }
  /**
   * The secret itself.
   */
  export interface PartSecret {
    tag: 'secret',
  }
  /**
   * The body as it is sent.
   */
  export interface PartBody {
    tag: 'body',
  }
  /**
   * A digest.
   * # Variants
   *
   * ## `"md5"`
   *
   * MD5, which some gateways still ask for.
   * ## `"sha1"`
   *
   * SHA-1.
   * ## `"sha256"`
   *
   * SHA-256.
   * ## `"hmac-sha1"`
   *
   * HMAC with SHA-1; the secret is the key.
   * ## `"hmac-sha256"`
   *
   * HMAC with SHA-256; the secret is the key.
   */
  export type Algorithm = 'md5' | 'sha1' | 'sha256' | 'hmac-sha1' | 'hmac-sha256';
  /**
   * How a digest is written.
   * # Variants
   *
   * ## `"hex"`
   *
   * Lower-case hexadecimal.
   * ## `"base64"`
   *
   * Base64.
   */
  export type Encoding = 'hex' | 'base64';
  /**
   * A digest over some parts.
   */
  export interface Digest {
    /**
     * Which one.
     */
    algorithm: Algorithm,
    /**
     * What is digested, in order.
     */
    parts: Array<Part>,
    /**
     * How it is written.
     */
    encoding: Encoding,
    /**
     * What stands before it, such as `sha256=`.
     */
    prefix: string,
  }
  /**
   * What the host makes of a secret.
   */
  export type Form = FormPlain | FormBasic | FormDigest;
  /**
   * The secret after this prefix, such as `Bearer `.
   */
  export interface FormPlain {
    tag: 'plain',
    val: string,
  }
  /**
   * HTTP Basic with this user name.
   */
  export interface FormBasic {
    tag: 'basic',
    val: string,
  }
  /**
   * A digest.
   */
  export interface FormDigest {
    tag: 'digest',
    val: Digest,
  }
  /**
   * A credential that the host adds: the plugin never sees it. Needs the capability `secrets`, and a grant of this secret for
   * this server.
   */
  export interface Credential {
    /**
     * Name of the secret.
     */
    secret: string,
    /**
     * Where it goes.
     */
    place: Place,
    /**
     * What goes there.
     */
    form: Form,
  }
  /**
   * A request.
   */
  export interface Request {
    /**
     * Method.
     */
    method: Method,
    /**
     * Absolute address, without user and fragment.
     */
    url: string,
    /**
     * Headers; those of the connection and of authentication are refused.
     */
    headers: Array<[string, string]>,
    /**
     * Body.
     */
    body: Uint8Array,
    /**
     * What the host adds.
     */
    credentials: Array<Credential>,
    /**
     * Time for all of it, in milliseconds, if less than the host's own limit.
     */
    timeoutMs?: number,
  }
  /**
   * An answer, whatever its status.
   */
  export interface Response {
    /**
     * Status.
     */
    status: number,
    /**
     * Headers, names in lower case.
     */
    headers: Array<[string, string]>,
    /**
     * Body.
     */
    body: Uint8Array,
  }
  /**
   * Why there is no answer.
   */
  export type Failure = FailureNotGranted | FailureAddressRefused | FailureInvalid | FailureTooMuch | FailureTimeout | FailureConnection;
  /**
   * The site does not grant this server, or not this secret for it; the text says what to grant.
   */
  export interface FailureNotGranted {
    tag: 'not-granted',
    val: string,
  }
  /**
   * The name leads to an address that plugins may not reach.
   */
  export interface FailureAddressRefused {
    tag: 'address-refused',
    val: string,
  }
  /**
   * The request is not well formed.
   */
  export interface FailureInvalid {
    tag: 'invalid',
    val: string,
  }
  /**
   * The request or the answer is too large, or there were too many requests.
   */
  export interface FailureTooMuch {
    tag: 'too-much',
    val: string,
  }
  /**
   * No answer in time.
   */
  export interface FailureTimeout {
    tag: 'timeout',
  }
  /**
   * The connection failed.
   */
  export interface FailureConnection {
    tag: 'connection',
    val: string,
  }
}

declare module 'masthead:plugin/identity@0.1.0' {
  /**
   * Gives the http(s) address to send the reader to.
   */
  export function begin(context: Context, start: Start): string;
  /**
   * Says who came back.
   */
  export function complete(context: Context, answer: Answer): User;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * A reader wants to sign in.
   */
  export interface Start {
    /**
     * Absolute address that the other side has to send the reader back to.
     */
    callback: string,
    /**
     * Value that has to come back unchanged; the host checks it.
     */
    state: string,
  }
  /**
   * The reader came back.
   */
  export interface Answer {
    /**
     * Address that the reader was sent back to.
     */
    callback: string,
    /**
     * Query parameters that came with the reader; the state was checked.
     */
    query: Array<[string, string]>,
  }
  /**
   * Who it is.
   */
  export interface User {
    /**
     * What identifies the user at the other side, for ever.
     */
    subject: string,
    /**
     * Name to show.
     */
    name: string,
  }
}

declare module 'masthead:plugin/kv@0.1.0' {
  /**
   * The value of a key.
   */
  export function get(key: string): Uint8Array | undefined;
  /**
   * Sets a value.
   */
  export function set(key: string, value: Uint8Array): void;
  /**
   * Removes a key; false if there was none.
   */
  export { _delete as delete };
  function _delete(key: string): boolean;
  /**
   * Keys that begin so, after this one, in the order of their bytes; at most 100.
   */
  export function keys(prefix: string, after: string): Array<string>;
  /**
   * Why it did not work.
   */
  export type Failure = FailureInvalid | FailureOverQuota | FailureOther;
  /**
   * The key is empty or too long, or the value is too long.
   */
  export interface FailureInvalid {
    tag: 'invalid',
    val: string,
  }
  /**
   * No room is left.
   */
  export interface FailureOverQuota {
    tag: 'over-quota',
  }
  /**
   * A failure of the host, in words.
   */
  export interface FailureOther {
    tag: 'other',
    val: string,
  }
}

declare module 'masthead:plugin/layout@0.1.0' {
  /**
   * Gives this plugin's contributions to the page; an empty list for none.
   */
  export function contribute(context: Context): Array<Contribution>;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * A module in a slot.
   */
  export interface Contribution {
    /**
     * Name of the slot, such as `footer.rows`.
     */
    slot: string,
    /**
     * Name of the module; `plugin.toml` has to list it under `ui.modules`.
     */
    module: string,
    /**
     * Properties for the module: a JSON object as text.
     */
    props: string,
  }
}

declare module 'masthead:plugin/links@0.1.0' {
  /**
   * Rewrites one batch: as many links come back, in the same order. The host tries it once with an empty batch
   * before it uses the plugin. An error is a refusal: the links stay as they were.
   */
  export function rewrite(context: Context, links: Array<Link>): Array<Link>;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * Where a link stands on the page.
   * # Variants
   *
   * ## `"list-article"`
   *
   * An article in a list (home, issue, just accepted).
   * ## `"result-article"`
   *
   * An article among search results, or what else a search found: a journal, the page of a resource, the article of a figure.
   * ## `"menu"`
   *
   * A menu entry.
   * ## `"other"`
   *
   * Anything else.
   */
  export type LinkKind = 'list-article' | 'result-article' | 'menu' | 'other';
  /**
   * A link to a page of the same site. The site's prefix and the language are not part of it.
   */
  export interface Link {
    /**
     * Where it stands. The host refuses an answer that changes it.
     */
    kind: LinkKind,
    /**
     * Path without language and leading slash: `article/17`. No scheme, no `..`, no control characters.
     */
    path: string,
    /**
     * Query parameters in order, not percent-encoded.
     */
    query: Array<[string, string]>,
  }
}

declare module 'masthead:plugin/log@0.1.0' {
  /**
   * Writes one line. Never fails: what is over the cap is dropped.
   */
  export function write(level: Level, message: string): void;
  /**
   * How much a line matters.
   * # Variants
   *
   * ## `"debug"`
   *
   * For the plugin's author.
   * ## `"info"`
   *
   * Worth knowing.
   * ## `"warn"`
   *
   * Something is not as it should be.
   * ## `"error"`
   *
   * Something failed.
   */
  export type Level = 'debug' | 'info' | 'warn' | 'error';
}

declare module 'masthead:plugin/messaging@0.1.0' {
  /**
   * Sends. Gives the gateway's number for it, or "".
   */
  export function send(context: Context, message: Message): string;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * How it goes.
   * # Variants
   *
   * ## `"sms"`
   *
   * To a mobile phone.
   * ## `"mail"`
   *
   * By electronic mail.
   */
  export type Channel = 'sms' | 'mail';
  /**
   * A message.
   */
  export interface Message {
    /**
     * How it goes.
     */
    channel: Channel,
    /**
     * Phone number or address.
     */
    to: string,
    /**
     * What it is about: `login-code`, `register-code`, ...
     */
    purpose: string,
    /**
     * Values for the gateway's template, such as `("code", "123456")`.
     */
    values: Array<[string, string]>,
    /**
     * The whole text, for gateways without templates.
     */
    text: string,
  }
  /**
   * Why it was not sent.
   */
  export type Failure = FailureNotMine | FailureRefused | FailureOther;
  /**
   * This plugin does not send over this channel: the next one is asked.
   */
  export interface FailureNotMine {
    tag: 'not-mine',
  }
  /**
   * The gateway refuses this number or address.
   */
  export interface FailureRefused {
    tag: 'refused',
    val: string,
  }
  /**
   * Anything else, in words for the log.
   */
  export interface FailureOther {
    tag: 'other',
    val: string,
  }
}

declare module 'masthead:plugin/navigation@0.1.0' {
  /**
   * Gives the menu that holds from here on. The host also asks once, with an empty route and no channels, which languages
   * the site has.
   */
  export function adjust(context: Context, menu: Menu): Menu;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * An entry of the menu. Entries are a tree of two levels: a child names its parent.
   */
  export interface Channel {
    /**
     * Number within the site; a new entry takes a negative one.
     */
    id: bigint,
    /**
     * Number of the parent, 0 at the top.
     */
    parent: bigint,
    /**
     * Code of the specification, such as `aboutus`; free for new entries.
     */
    code: string,
    /**
     * Name in the page's language.
     */
    label: string,
    /**
     * Where it leads: a path inside the site (without language, without leading slash) or an http(s) address.
     */
    target: string,
    /**
     * Whether it opens in a new tab.
     */
    newTab: boolean,
  }
  /**
   * Menu and languages.
   */
  export interface Menu {
    /**
     * Entries in their order.
     */
    channels: Array<Channel>,
    /**
     * Interface languages in the order of the switch. A plugin may add those that the host knows, and takes none away.
     */
    languages: Array<string>,
  }
}

declare module 'masthead:plugin/random@0.1.0' {
  /**
   * As many bytes, at most 1,024.
   */
  export function bytes(length: number): Uint8Array;
}

declare module 'masthead:plugin/routes@0.1.0' {
  /**
   * Answers.
   */
  export function handle(context: Context, request: Request): Response;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * A request.
   */
  export interface Request {
    /**
     * `GET`, `HEAD` or `POST`.
     */
    method: string,
    /**
     * Path after `plugins/<id>/`, decoded.
     */
    path: string,
    /**
     * Query parameters in order, decoded.
     */
    query: Array<[string, string]>,
    /**
     * `accept`, `accept-language` and `content-type`, where sent.
     */
    headers: Array<[string, string]>,
    /**
     * Body, at most 64 KiB.
     */
    body: Uint8Array,
  }
  /**
   * An answer.
   */
  export interface Response {
    /**
     * 200 to 599.
     */
    status: number,
    /**
     * `content-type`, `content-disposition`, `cache-control`, `etag`, `last-modified`; `location` (a path inside the site). Others
     * are refused.
     */
    headers: Array<[string, string]>,
    /**
     * Body, at most 512 KiB.
     */
    body: Uint8Array,
  }
}

declare module 'masthead:plugin/search-decorate@0.1.0' {
  /**
   * Gives the same hits, marked, in the order that holds from here on.
   */
  export function decorate(context: Context, page: Page): Array<Hit>;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  export type Badge = import('masthead:plugin/types@0.1.0').Badge;
  /**
   * A hit.
   */
  export interface Hit {
    /**
     * The article's number.
     */
    id: bigint,
    /**
     * DOI, or "".
     */
    doi: string,
    /**
     * Title in the page's language.
     */
    title: string,
    /**
     * JATS article type.
     */
    kind: string,
    /**
     * Year, or 0.
     */
    year: number,
    /**
     * Whether it is open access.
     */
    openAccess: boolean,
    /**
     * Marks, at most 8.
     */
    badges: Array<Badge>,
  }
  /**
   * A page of hits.
   */
  export interface Page {
    /**
     * What the reader typed.
     */
    text: string,
    /**
     * The hits in their order.
     */
    hits: Array<Hit>,
  }
}

declare module 'masthead:plugin/search-rewrite@0.1.0' {
  /**
   * Gives the query that holds from here on.
   */
  export function rewrite(context: Context, query: Query): Query;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  export type Synonym = import('masthead:plugin/search-types@0.1.0').Synonym;
  export type Boost = import('masthead:plugin/search-types@0.1.0').Boost;
  export type Filter = import('masthead:plugin/search-types@0.1.0').Filter;
  /**
   * A search.
   */
  export interface Query {
    /**
     * What the reader typed. `AND`, `OR`, `NOT` and quotes have the specification's meaning.
     */
    text: string,
    /**
     * Words that stand for typed ones.
     */
    synonyms: Array<Synonym>,
    /**
     * Weights of fields.
     */
    boosts: Array<Boost>,
    /**
     * All of them hold.
     */
    filters: Array<Filter>,
  }
}

declare module 'masthead:plugin/search-types@0.1.0' {
  /**
   * A part of an article that is searched.
   * # Variants
   *
   * ## `"title"`
   *
   * Titles.
   * ## `"keywords"`
   *
   * Key words.
   * ## `"authors"`
   *
   * Names of authors.
   * ## `"summary"`
   *
   * Abstracts.
   * ## `"body"`
   *
   * Full text.
   */
  export type Field = 'title' | 'keywords' | 'authors' | 'summary' | 'body';
  /**
   * Words that stand for one that was typed.
   */
  export interface Synonym {
    /**
     * The word or phrase as typed.
     */
    term: string,
    /**
     * What is searched as well.
     */
    alternatives: Array<string>,
  }
  /**
   * How much a match in a field counts.
   */
  export interface Boost {
    /**
     * The field.
     */
    field: Field,
    /**
     * In percent of the usual; 0 leaves the field out.
     */
    percent: number,
  }
  /**
   * What a hit has to fulfil.
   */
  export type Filter = FilterYearFrom | FilterYearTo | FilterJournal | FilterKind | FilterOpenAccess;
  /**
   * Published in this year or later.
   */
  export interface FilterYearFrom {
    tag: 'year-from',
    val: number,
  }
  /**
   * Published in this year or before.
   */
  export interface FilterYearTo {
    tag: 'year-to',
    val: number,
  }
  /**
   * In the journal with this key.
   */
  export interface FilterJournal {
    tag: 'journal',
    val: string,
  }
  /**
   * Of this JATS article type.
   */
  export interface FilterKind {
    tag: 'kind',
    val: string,
  }
  /**
   * Open access or not.
   */
  export interface FilterOpenAccess {
    tag: 'open-access',
    val: boolean,
  }
}

declare module 'masthead:plugin/secrets@0.1.0' {
  /**
   * Whether the site grants a secret of this name and the host has it.
   */
  export function has(name: string): boolean;
  /**
   * HMAC with SHA-256 of these bytes under the secret, in lower-case hexadecimal; an error says what to grant.
   */
  export function sign(name: string, data: Uint8Array): string;
}

declare module 'masthead:plugin/settings-check@0.1.0' {
  /**
   * Looks at this plugin's settings on this site; an error says what to change.
   */
  export function check(context: Context): void;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
}

declare module 'masthead:plugin/settings@0.1.0' {
  /**
   * The settings as a JSON object, defaults filled in, checked against the schema in `plugin.toml`.
   */
  export function get(): string;
}

declare module 'masthead:plugin/statistics@0.1.0' {
  /**
   * Parameters in order, such as `("fromAdcs", "true")`; at most 32.
   */
  export function parameters(context: Context, parameters: Array<[string, string]>): Array<[string, string]>;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
}

declare module 'masthead:plugin/translate@0.1.0' {
  /**
   * Translates. An empty text asks only whether translation is on here: no gateway is asked then.
   */
  export function translate(context: Context, request: Request): Translation;
  export type Context = import('masthead:plugin/types@0.1.0').Context;
  /**
   * What is to be translated.
   */
  export interface Request {
    /**
     * The text, at most 8,000 characters.
     */
    text: string,
    /**
     * Language of the text by the specification's code, or `auto`.
     */
    source: string,
    /**
     * Language to translate into: zh, en, ru, ara, fra, spa or de.
     */
    target: string,
  }
  /**
   * A translation.
   */
  export interface Translation {
    /**
     * The text.
     */
    text: string,
    /**
     * Language that the text was found to be in, or what was asked for.
     */
    source: string,
  }
  /**
   * Why there is none.
   */
  export type Failure = FailureOff | FailureUnauthorized | FailureOther;
  /**
   * Translation is not switched on here.
   */
  export interface FailureOff {
    tag: 'off',
  }
  /**
   * The gateway does not know this host as a user (its error 52003).
   */
  export interface FailureUnauthorized {
    tag: 'unauthorized',
  }
  /**
   * Anything else, in words for the log.
   */
  export interface FailureOther {
    tag: 'other',
    val: string,
  }
}

declare module 'masthead:plugin/types@0.1.0' {
  /**
   * The page that is being made, or the work that is being done.
   */
  export interface Context {
    /**
     * Number of the site, such as 448.
     */
    siteId: bigint,
    /**
     * Short name of the site, such as `hssxiv`.
     */
    sld: string,
    /**
     * Interface language of the page: zh, en, ru, ara, spa, fra, de, jp or kor.
     */
    lang: string,
    /**
     * Name of the route, such as `article`; empty when the host tries a plugin before it is used.
     */
    route: string,
    /**
     * Absolute address of the site's pages in this language, without a slash at its end:
     * `https://journals.example.org/hssxiv/en`. A link's path follows after a slash.
     */
    address: string,
  }
  /**
   * A plain text in one language.
   */
  export interface Text {
    /**
     * BCP 47 tag.
     */
    lang: string,
    /**
     * The text.
     */
    value: string,
  }
  /**
   * An author.
   */
  export interface Person {
    /**
     * The whole name in the order of its script.
     */
    name: string,
    /**
     * Family name, or "" for a group.
     */
    family: string,
    /**
     * Given names, or "".
     */
    given: string,
    /**
     * ORCID iD; none unless the site grants the personal field `author.orcid`.
     */
    orcid?: string,
    /**
     * E-mail address; none unless the site grants the personal field `author.email`.
     */
    email?: string,
  }
  /**
   * What is known about an article.
   */
  export interface Article {
    /**
     * Number within the site.
     */
    id: bigint,
    /**
     * DOI, or "".
     */
    doi: string,
    /**
     * Path of its page, such as `article/17`; before any `links` hook.
     */
    path: string,
    /**
     * Titles, the original first.
     */
    titles: Array<Text>,
    /**
     * Authors in order.
     */
    authors: Array<Person>,
    /**
     * Journal's title.
     */
    journal: string,
    /**
     * ISSNs of the journal.
     */
    issn: Array<string>,
    /**
     * Publisher's name, or "".
     */
    publisher: string,
    /**
     * Year of publication, or 0.
     */
    year: number,
    /**
     * Volume as printed, or "".
     */
    volume: string,
    /**
     * Issue as printed, or "".
     */
    issue: string,
    /**
     * First page or article number, or "".
     */
    firstPage: string,
    /**
     * Last page, or "".
     */
    lastPage: string,
    /**
     * ISO date of publication, or "".
     */
    published: string,
    /**
     * JATS article type, such as `research-article`.
     */
    kind: string,
    /**
     * BCP 47 tag of its own language.
     */
    language: string,
    /**
     * Key words of all languages.
     */
    keywords: Array<Text>,
    /**
     * Abstracts as plain text.
     */
    abstracts: Array<Text>,
    /**
     * Address of the licence, or "".
     */
    licenseUrl: string,
    /**
     * Whether it is open access.
     */
    openAccess: boolean,
    /**
     * Number of references.
     */
    referenceCount: number,
  }
  /**
   * How a badge is coloured.
   * # Variants
   *
   * ## `"neutral"`
   *
   * Like the text around it.
   * ## `"good"`
   *
   * Something good: open data, peer reviewed.
   * ## `"caution"`
   *
   * Something to mind: a preprint.
   * ## `"bad"`
   *
   * Something bad: retracted.
   */
  export type Tone = 'neutral' | 'good' | 'caution' | 'bad';
  /**
   * A short mark on an article.
   */
  export interface Badge {
    /**
     * A word or two, in the page's language.
     */
    label: string,
    /**
     * What it means, in a sentence; "" for nothing more.
     */
    hint: string,
    /**
     * Colour.
     */
    tone: Tone,
    /**
     * Where it leads: a path inside the site or an https address; "" for nowhere.
     */
    href: string,
  }
}
