//! A page view: from the request to route, reader, content, bootstrap and document.

pub mod article_format;
pub mod bootstrap;
pub mod caching;
pub mod channel_links;
pub mod content;
pub mod context;
pub mod cover;
pub mod document;
pub mod encoding;
pub mod feed_links;
pub mod frame;
pub mod head;
mod icons;
pub mod language;
mod link_row;
pub mod menu;
pub mod moved;
pub mod notices;
pub mod pipeline;
pub mod reader;
mod reader_status;
pub mod request;
pub mod scheme;
mod search_widget;
pub mod signposting;
pub mod types;
