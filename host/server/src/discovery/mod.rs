//! XML that harvesters, search engines and feed readers fetch: plain values to text.

pub(crate) mod feed_xml;
pub(crate) mod oai_xml;
pub(crate) mod sitemap_xml;
