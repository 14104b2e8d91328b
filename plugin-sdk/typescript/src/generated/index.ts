// This file is auto-generated from plugin-sdk/wit by `npm run types -w @masthead/plugin`. Do not edit.

/// <reference path="./wit.d.ts" />

export type * from 'masthead:plugin/search-types@0.1.0';
export type * from 'masthead:plugin/types@0.1.0';

// Capabilities: what `plugin.toml` has to ask for.
export * as clock from 'masthead:plugin/clock@0.1.0';
export * as content from 'masthead:plugin/content@0.1.0';
export * as http from 'masthead:plugin/http@0.1.0';
export * as kv from 'masthead:plugin/kv@0.1.0';
export * as log from 'masthead:plugin/log@0.1.0';
export * as random from 'masthead:plugin/random@0.1.0';
export * as secrets from 'masthead:plugin/secrets@0.1.0';
export * as settings from 'masthead:plugin/settings@0.1.0';

// Hooks: the type of the object that a plugin exports, and beside it, as in `Links.Link`, the types that it speaks.
export type Access = typeof import('masthead:plugin/access@0.1.0');
export declare namespace Access {
  type Context = import('masthead:plugin/access@0.1.0').Context;
  type Permissions = import('masthead:plugin/access@0.1.0').Permissions;
  type Request = import('masthead:plugin/access@0.1.0').Request;
}
export type ArticleDecorate = typeof import('masthead:plugin/article-decorate@0.1.0');
export declare namespace ArticleDecorate {
  type Context = import('masthead:plugin/article-decorate@0.1.0').Context;
  type Article = import('masthead:plugin/article-decorate@0.1.0').Article;
  type Badge = import('masthead:plugin/article-decorate@0.1.0').Badge;
  type Section = import('masthead:plugin/article-decorate@0.1.0').Section;
  type Download = import('masthead:plugin/article-decorate@0.1.0').Download;
  type Additions = import('masthead:plugin/article-decorate@0.1.0').Additions;
}
export type Assistant = typeof import('masthead:plugin/assistant@0.1.0');
export declare namespace Assistant {
  type Context = import('masthead:plugin/assistant@0.1.0').Context;
  type Request = import('masthead:plugin/assistant@0.1.0').Request;
}
export type Events = typeof import('masthead:plugin/events@0.1.0');
export declare namespace Events {
  type Context = import('masthead:plugin/events@0.1.0').Context;
  type Article = import('masthead:plugin/events@0.1.0').Article;
  type Event = import('masthead:plugin/events@0.1.0').Event;
}
export type Head = typeof import('masthead:plugin/head@0.1.0');
export declare namespace Head {
  type Context = import('masthead:plugin/head@0.1.0').Context;
  type Article = import('masthead:plugin/head@0.1.0').Article;
  type Page = import('masthead:plugin/head@0.1.0').Page;
  type Meta = import('masthead:plugin/head@0.1.0').Meta;
  type Link = import('masthead:plugin/head@0.1.0').Link;
  type Tag = import('masthead:plugin/head@0.1.0').Tag;
  type TagMeta = import('masthead:plugin/head@0.1.0').TagMeta;
  type TagLink = import('masthead:plugin/head@0.1.0').TagLink;
  type TagJsonLd = import('masthead:plugin/head@0.1.0').TagJsonLd;
}
export type Identity = typeof import('masthead:plugin/identity@0.1.0');
export declare namespace Identity {
  type Context = import('masthead:plugin/identity@0.1.0').Context;
  type Start = import('masthead:plugin/identity@0.1.0').Start;
  type Answer = import('masthead:plugin/identity@0.1.0').Answer;
  type User = import('masthead:plugin/identity@0.1.0').User;
}
export type Layout = typeof import('masthead:plugin/layout@0.1.0');
export declare namespace Layout {
  type Context = import('masthead:plugin/layout@0.1.0').Context;
  type Contribution = import('masthead:plugin/layout@0.1.0').Contribution;
}
export type Links = typeof import('masthead:plugin/links@0.1.0');
export declare namespace Links {
  type Context = import('masthead:plugin/links@0.1.0').Context;
  type LinkKind = import('masthead:plugin/links@0.1.0').LinkKind;
  type Link = import('masthead:plugin/links@0.1.0').Link;
}
export type Messaging = typeof import('masthead:plugin/messaging@0.1.0');
export declare namespace Messaging {
  type Context = import('masthead:plugin/messaging@0.1.0').Context;
  type Channel = import('masthead:plugin/messaging@0.1.0').Channel;
  type Message = import('masthead:plugin/messaging@0.1.0').Message;
  type Failure = import('masthead:plugin/messaging@0.1.0').Failure;
  type FailureNotMine = import('masthead:plugin/messaging@0.1.0').FailureNotMine;
  type FailureRefused = import('masthead:plugin/messaging@0.1.0').FailureRefused;
  type FailureOther = import('masthead:plugin/messaging@0.1.0').FailureOther;
}
export type Navigation = typeof import('masthead:plugin/navigation@0.1.0');
export declare namespace Navigation {
  type Context = import('masthead:plugin/navigation@0.1.0').Context;
  type Channel = import('masthead:plugin/navigation@0.1.0').Channel;
  type Menu = import('masthead:plugin/navigation@0.1.0').Menu;
}
export type Routes = typeof import('masthead:plugin/routes@0.1.0');
export declare namespace Routes {
  type Context = import('masthead:plugin/routes@0.1.0').Context;
  type Request = import('masthead:plugin/routes@0.1.0').Request;
  type Response = import('masthead:plugin/routes@0.1.0').Response;
}
export type SearchDecorate = typeof import('masthead:plugin/search-decorate@0.1.0');
export declare namespace SearchDecorate {
  type Context = import('masthead:plugin/search-decorate@0.1.0').Context;
  type Badge = import('masthead:plugin/search-decorate@0.1.0').Badge;
  type Hit = import('masthead:plugin/search-decorate@0.1.0').Hit;
  type Page = import('masthead:plugin/search-decorate@0.1.0').Page;
}
export type SearchRewrite = typeof import('masthead:plugin/search-rewrite@0.1.0');
export declare namespace SearchRewrite {
  type Context = import('masthead:plugin/search-rewrite@0.1.0').Context;
  type Synonym = import('masthead:plugin/search-rewrite@0.1.0').Synonym;
  type Boost = import('masthead:plugin/search-rewrite@0.1.0').Boost;
  type Filter = import('masthead:plugin/search-rewrite@0.1.0').Filter;
  type Query = import('masthead:plugin/search-rewrite@0.1.0').Query;
}
export type SettingsCheck = typeof import('masthead:plugin/settings-check@0.1.0');
export declare namespace SettingsCheck {
  type Context = import('masthead:plugin/settings-check@0.1.0').Context;
}
export type Statistics = typeof import('masthead:plugin/statistics@0.1.0');
export declare namespace Statistics {
  type Context = import('masthead:plugin/statistics@0.1.0').Context;
}
export type Translate = typeof import('masthead:plugin/translate@0.1.0');
export declare namespace Translate {
  type Context = import('masthead:plugin/translate@0.1.0').Context;
  type Request = import('masthead:plugin/translate@0.1.0').Request;
  type Translation = import('masthead:plugin/translate@0.1.0').Translation;
  type Failure = import('masthead:plugin/translate@0.1.0').Failure;
  type FailureOff = import('masthead:plugin/translate@0.1.0').FailureOff;
  type FailureUnauthorized = import('masthead:plugin/translate@0.1.0').FailureUnauthorized;
  type FailureOther = import('masthead:plugin/translate@0.1.0').FailureOther;
}
