//! ONIX for Books 3.0 and 3.1, with reference names or short tags, read product by product.

use std::io::Read;

use masthead_domain::{
    ids::Doi,
    lang::{has_han_or_hangul, language_tag},
};

use super::book::{Book, BookContributor};
use crate::{
    FormatError, Name,
    date::DateReader,
    xml::{Child, Element, Elements},
};

const FORMAT: &str = "ONIX";
/// Limit on the size of one product in bytes.
const MAX_PRODUCT: usize = 8 << 20;

/// Iterator over the products of a message; it holds one product in memory at a time.
///
/// A faulty product is an error, and iteration continues with the next; malformed XML ends the iteration with an error.
pub struct Products<R> {
    elements: Elements<R>,
    record: usize,
    language: String,
    refused: bool,
}

/// Reads the products of a message.
pub fn products<R: Read>(source: R) -> Products<R> {
    let elements = Elements::new(FORMAT, source, &["Product", "product", "Header", "header"], MAX_PRODUCT);
    Products { elements, record: 0, language: String::new(), refused: false }
}

impl<R: Read> Iterator for Products<R> {
    type Item = Result<Book, FormatError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.refused {
                return None;
            }
            let element = match self.elements.next() {
                Some(Ok(element)) => element,
                Some(Err(error)) => {
                    self.refused = true;
                    return Some(Err(error.record(self.record + 1)));
                }
                None => return self.empty(),
            };
            if let Some(reason) = self.elements.root().and_then(refusal) {
                self.refused = true;
                return Some(Err(FormatError::new(FORMAT, reason)));
            }
            let element = long(element);
            if element.name == "Header" {
                self.language = language_tag(&element.child_text("DefaultLanguageOfText"));
                continue;
            }
            self.record += 1;
            let place = FormatError::new(FORMAT, "").record(self.record).line(element.line);
            let book = book(&element, &self.language, place);
            return Some(book.map_err(|error| error.record(self.record).line(element.line)));
        }
    }
}

impl<R: Read> Products<R> {
    /// An error for a message without products, which is a sign of a wrong file.
    fn empty(&mut self) -> Option<Result<Book, FormatError>> {
        if self.record > 0 || self.refused {
            return None;
        }
        self.refused = true;
        let reason = self.elements.root().and_then(refusal);
        Some(Err(FormatError::new(FORMAT, reason.unwrap_or_else(|| "the message has no products".to_owned()))))
    }
}

fn refusal(root: &Element) -> Option<String> {
    if !root.name.eq_ignore_ascii_case("ONIXMessage") && !root.name.eq_ignore_ascii_case("Product") {
        return Some(format!("the root element is <{}>, not <ONIXMessage>: send ONIX for Books 3.0", root.name));
    }
    let release = root.attribute("release");
    let old = !release.is_empty() && !release.starts_with('3');
    old.then(|| format!("the message is ONIX {release}: export it as ONIX 3.0, which replaced it"))
}

/// Short tags of the elements that are read, with their reference names; composites differ from others in case only.
const SHORT: &[(&str, &str)] = &[
    ("a001", "RecordReference"),
    ("a002", "NotificationType"),
    ("b221", "ProductIDType"),
    ("b244", "IDValue"),
    ("b202", "TitleType"),
    ("x409", "TitleElementLevel"),
    ("b203", "TitleText"),
    ("b030", "TitlePrefix"),
    ("b031", "TitleWithoutPrefix"),
    ("b029", "Subtitle"),
    ("b034", "SequenceNumber"),
    ("b035", "ContributorRole"),
    ("b036", "PersonName"),
    ("b037", "PersonNameInverted"),
    ("b039", "NamesBeforeKey"),
    ("b247", "PrefixToKey"),
    ("b040", "KeyNames"),
    ("b248", "SuffixToKey"),
    ("b047", "CorporateName"),
    ("b044", "BiographicalNote"),
    ("x415", "NameIDType"),
    ("b057", "EditionNumber"),
    ("b058", "EditionStatement"),
    ("b253", "LanguageRole"),
    ("b252", "LanguageCode"),
    ("b218", "ExtentType"),
    ("b219", "ExtentValue"),
    ("b220", "ExtentUnit"),
    ("b067", "SubjectSchemeIdentifier"),
    ("b069", "SubjectCode"),
    ("b070", "SubjectHeadingText"),
    ("x426", "TextType"),
    ("d104", "Text"),
    ("x436", "ResourceContentType"),
    ("x435", "ResourceLink"),
    ("b079", "ImprintName"),
    ("b291", "PublishingRole"),
    ("b081", "PublisherName"),
    ("b209", "CityOfPublication"),
    ("x448", "PublishingDateRole"),
    ("b306", "Date"),
    ("m184", "DefaultLanguageOfText"),
    ("header", "Header"),
    ("product", "Product"),
    ("productidentifier", "ProductIdentifier"),
    ("descriptivedetail", "DescriptiveDetail"),
    ("collection", "Collection"),
    ("titledetail", "TitleDetail"),
    ("titleelement", "TitleElement"),
    ("contributor", "Contributor"),
    ("nameidentifier", "NameIdentifier"),
    ("language", "Language"),
    ("extent", "Extent"),
    ("subject", "Subject"),
    ("collateraldetail", "CollateralDetail"),
    ("textcontent", "TextContent"),
    ("supportingresource", "SupportingResource"),
    ("resourceversion", "ResourceVersion"),
    ("publishingdetail", "PublishingDetail"),
    ("imprint", "Imprint"),
    ("publisher", "Publisher"),
    ("publishingdate", "PublishingDate"),
];

/// The element with reference names in place of short tags.
fn long(mut element: Element) -> Element {
    if let Some((_, name)) = SHORT.iter().find(|(short, _)| *short == element.name) {
        (*name).clone_into(&mut element.name);
    }
    element.children = element
        .children
        .into_iter()
        .map(|child| match child {
            Child::Element(element) => Child::Element(long(element)),
            text @ Child::Text(_) => text,
        })
        .collect();
    element
}

fn book(product: &Element, default_language: &str, place: FormatError) -> Result<Book, FormatError> {
    let mut book = Book { key: product.child_text("RecordReference"), ..Book::default() };
    book.withdrawn = product.child_text("NotificationType") == "05";
    identifiers(product, &mut book);
    if let Some(detail) = product.child("DescriptiveDetail") {
        described(detail, &mut book);
    }
    if book.title.is_empty() && !book.withdrawn {
        return Err(FormatError::new(FORMAT, "the product has no title of type 01 (DescriptiveDetail/TitleDetail)")
            .field(book.key));
    }
    if book.language.is_empty() {
        default_language.clone_into(&mut book.language);
    }
    for text in product.child("CollateralDetail").into_iter().flat_map(|detail| detail.all("TextContent")) {
        texts(text, &mut book);
    }
    let resources = product.child("CollateralDetail").into_iter().flat_map(|detail| detail.all("SupportingResource"));
    for resource in resources.filter(|one| one.child_text("ResourceContentType") == "01") {
        if let (true, Some(link)) = (book.cover.is_empty(), resource.path(&["ResourceVersion", "ResourceLink"])) {
            book.cover = link.text();
        }
    }
    if let Some(detail) = product.child("PublishingDetail") {
        published(detail, &mut book, DateReader::new(place));
    }
    Ok(book)
}

fn identifiers(product: &Element, book: &mut Book) {
    for one in product.all("ProductIdentifier") {
        let value = one.child_text("IDValue");
        match one.child_text("ProductIDType").as_str() {
            "15" | "02" => book.add_isbn(&value),
            // A GTIN-13 that is an ISBN.
            "03" if super::book::isbn13(&value).is_some() => book.add_isbn(&value),
            "06" => book.doi = Doi::parse(&value).ok(),
            _ => {}
        }
    }
}

fn described(detail: &Element, book: &mut Book) {
    for title in detail.all("TitleDetail") {
        let elements: Vec<&Element> = title.all("TitleElement").collect();
        let own = elements.iter().find(|one| matches!(one.child_text("TitleElementLevel").as_str(), "01" | ""));
        let Some(own) = own.or(elements.first()) else { continue };
        let (text, language) = title_of(own);
        match title.child_text("TitleType").as_str() {
            "01" if book.title.is_empty() => {
                book.title = text;
                book.subtitle = own.child_text("Subtitle");
            }
            // A title in another language, or parallel to a title in another script.
            "06" | "03" | "11" if language == "en" && book.english_title.is_empty() => book.english_title = text,
            _ if language == "en" && book.english_title.is_empty() && text != book.title => book.english_title = text,
            _ => {}
        }
    }
    let series = detail.child("Collection").and_then(|collection| collection.child("TitleDetail"));
    if let Some(series) = series
        .into_iter()
        .flat_map(|title| title.all("TitleElement"))
        .map(|one| title_of(one).0)
        .find(|one| !one.is_empty())
    {
        book.series = series;
    }
    let mut people: Vec<&Element> = detail.all("Contributor").collect();
    people.sort_by_key(|one| one.child_text("SequenceNumber").parse::<u32>().unwrap_or(u32::MAX));
    book.contributors = people.into_iter().map(contributor).filter(|one| one.name != Name::default()).collect();
    book.edition = [detail.child_text("EditionStatement"), detail.child_text("EditionNumber")]
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or_default();
    for one in detail.all("Language") {
        let tag = language_tag(&one.child_text("LanguageCode"));
        match one.child_text("LanguageRole").as_str() {
            "01" if book.language.is_empty() => book.language = tag,
            "02" if book.original_language.is_empty() => book.original_language = tag,
            _ => {}
        }
    }
    let pages = |kind: &str| {
        let found = detail
            .all("Extent")
            .find(|one| one.child_text("ExtentType") == kind && one.child_text("ExtentUnit") == "03");
        found.and_then(|one| one.child_text("ExtentValue").parse().ok())
    };
    book.pages = ["00", "11", "06", "05", "07"].into_iter().find_map(pages);
    for one in detail.all("Subject") {
        subject(one, book);
    }
}

fn title_of(element: &Element) -> (String, String) {
    let bare = element.child("TitleWithoutPrefix");
    let whole = element.child("TitleText");
    let language = [whole, bare].into_iter().flatten().map(|one| language_tag(one.attribute("language"))).next();
    let text = match (whole, bare) {
        (Some(whole), _) if !whole.text().is_empty() => whole.text(),
        (_, Some(bare)) => {
            let prefix = element.child_text("TitlePrefix");
            let between = if prefix.is_empty() || prefix.ends_with(['\'', '’']) { "" } else { " " };
            format!("{prefix}{between}{}", bare.text())
        }
        _ => String::new(),
    };
    (text, language.unwrap_or_default())
}

fn contributor(element: &Element) -> BookContributor {
    let role = element.child_text("ContributorRole");
    let role = match role.get(..1) {
        _ if role == "A12" || role == "A35" => "illustrator",
        _ if matches!(role.as_str(), "A15" | "A16" | "A19" | "A22" | "A23" | "A24" | "A29") => "introduction",
        _ if role == "B06" || role == "B08" => "translator",
        _ if role == "C01" || role == "B18" => "compiler",
        _ if role == "A01" || role == "A02" || role == "A09" => "author",
        Some("B") => "editor",
        _ => "contributor",
    };
    let family = [element.child_text("PrefixToKey"), element.child_text("KeyNames")];
    let family = family.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let inverted = element.child_text("PersonNameInverted");
    let [corporate, person] = ["CorporateName", "PersonName"].map(|name| element.child_text(name));
    let name = if !corporate.is_empty() {
        Name { literal: corporate, ..Name::default() }
    } else if has_han_or_hangul(&person) {
        Name { literal: person, ..Name::default() }
    } else if !family.is_empty() {
        let given = element.child_text("NamesBeforeKey");
        Name { family, given, suffix: element.child_text("SuffixToKey"), ..Name::default() }
    } else if inverted.contains(',') {
        Name::parse(&inverted)
    } else {
        Name { literal: person, ..Name::default() }
    };
    let orcid = element
        .all("NameIdentifier")
        .find(|one| one.child_text("NameIDType") == "21")
        .map(|one| super::crossref::orcid(&one.child_text("IDValue")));
    BookContributor {
        role: role.to_owned(),
        name,
        romanized: String::new(),
        orcid: orcid.unwrap_or_default(),
        bio: element.child("BiographicalNote").map(Element::prose).unwrap_or_default(),
    }
}

fn subject(element: &Element, book: &mut Book) {
    let scheme = match element.child_text("SubjectSchemeIdentifier").as_str() {
        "10" => "bisac",
        "12" => "bic",
        "93" | "94" | "95" | "96" | "97" | "98" | "99" => "thema",
        "20" => "",
        "01" => "ddc",
        "03" => "lcc",
        "67" => "clc",
        _ => "other",
    };
    let (code, heading) = (element.child_text("SubjectCode"), element.child_text("SubjectHeadingText"));
    if !code.is_empty() && !scheme.is_empty() {
        book.codes.push((scheme.to_owned(), code));
    }
    // Keywords are one text, separated by semicolons or commas.
    let headings: Vec<&str> = if scheme.is_empty() { heading.split([';', ',']).collect() } else { vec![&heading] };
    for one in headings.into_iter().map(str::trim).filter(|one| !one.is_empty()) {
        if !book.subjects.iter().any(|known| known == one) {
            book.subjects.push(one.to_owned());
        }
    }
}

fn texts(content: &Element, book: &mut Book) {
    let Some(text) = content.child("Text").map(Element::prose).filter(|text| !text.is_empty()) else { return };
    match content.child_text("TextType").as_str() {
        "03" => book.description = text,
        "02" if book.description.is_empty() => book.description = text,
        "04" => book.contents = text,
        "12" => {
            if let Some(author) = book.contributors.iter_mut().find(|one| one.bio.is_empty()) {
                author.bio = text;
            }
        }
        _ => {}
    }
}

fn published(detail: &Element, book: &mut Book, mut read: DateReader) {
    let publishers: Vec<&Element> = detail.all("Publisher").collect();
    let main = publishers.iter().find(|one| matches!(one.child_text("PublishingRole").as_str(), "01" | ""));
    book.publisher = main.or(publishers.first()).map(|one| one.child_text("PublisherName")).unwrap_or_default();
    if book.publisher.is_empty() {
        book.publisher = detail.path(&["Imprint", "ImprintName"]).map(Element::text).unwrap_or_default();
    }
    book.place = detail.child_text("CityOfPublication");
    for one in detail.all("PublishingDate") {
        let field = match one.child_text("PublishingDateRole").as_str() {
            "01" => &mut book.published,
            "11" => &mut book.first_published,
            _ => continue,
        };
        *field = read.iso("PublishingDate", &one.child_text("Date"));
    }
    read.warnings().into_iter().for_each(|warning| book.warn(warning));
    if book.first_published.is_empty() {
        book.first_published.clone_from(&book.published);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use proptest::prelude::*;

    use super::*;

    const LONG: &str = r#"<?xml version="1.0"?><ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference"><Header><DefaultLanguageOfText>chi</DefaultLanguageOfText></Header>
<Product><RecordReference>r1</RecordReference><NotificationType>03</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9783161484100</IDValue></ProductIdentifier>
<DescriptiveDetail>
<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitlePrefix>The</TitlePrefix><TitleWithoutPrefix>Tides</TitleWithoutPrefix><Subtitle>a study</Subtitle></TitleElement></TitleDetail>
<TitleDetail><TitleType>06</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel><TitleText language="eng">English Tides</TitleText></TitleElement></TitleDetail>
<Contributor><SequenceNumber>2</SequenceNumber><ContributorRole>B06</ContributorRole><PersonName>王小明</PersonName></Contributor>
<Contributor><SequenceNumber>1</SequenceNumber><ContributorRole>A01</ContributorRole><NamesBeforeKey>Ada</NamesBeforeKey><KeyNames>Lovelace</KeyNames><BiographicalNote textformat="05"><p>Born.</p><p>Lived.</p></BiographicalNote></Contributor>
<EditionNumber>2</EditionNumber><Extent><ExtentType>00</ExtentType><ExtentValue>245</ExtentValue><ExtentUnit>03</ExtentUnit></Extent>
<Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier><SubjectHeadingText>sea; water</SubjectHeadingText></Subject>
</DescriptiveDetail>
<CollateralDetail><TextContent><TextType>04</TextType><Text textformat="02"><![CDATA[<ul><li>One</li><li>Two</li></ul>]]></Text></TextContent>
<TextContent><TextType>03</TextType><Text>About tides &amp; ebbs.</Text></TextContent>
<SupportingResource><ResourceContentType>01</ResourceContentType><ResourceVersion><ResourceLink>https://x.example/c.jpg</ResourceLink></ResourceVersion></SupportingResource></CollateralDetail>
<PublishingDetail><Publisher><PublishingRole>01</PublishingRole><PublisherName>Press</PublisherName></Publisher>
<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date dateformat="00">20260301</Date></PublishingDate><PublishingDate><PublishingDateRole>11</PublishingDateRole><Date dateformat="05">1999</Date></PublishingDate></PublishingDetail>
</Product>
<Product><RecordReference>r2</RecordReference></Product>
<Product><RecordReference>r3</RecordReference><NotificationType>05</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9783161484101</IDValue></ProductIdentifier></Product>
</ONIXMessage>"#;

    /// The same message with short tags.
    fn short() -> String {
        let mut text = LONG.replace("ONIXMessage", "ONIXmessage");
        for (short, long) in SHORT {
            for (open, close) in [("<", ">"), ("</", ">"), ("<", " ")] {
                text = text.replace(&format!("{open}{long}{close}"), &format!("{open}{short}{close}"));
            }
        }
        assert!(text.contains("<b203 language"));
        text
    }

    #[test]
    fn products_are_read_in_both_forms() {
        for text in [LONG.to_owned(), short()] {
            let found: Vec<_> = products(text.as_bytes()).collect();
            let [Ok(book), Err(fault), Ok(gone)] = found.as_slice() else { panic!("{found:?}") };
            assert_eq!(
                (book.isbn.as_str(), book.title.as_str(), book.subtitle.as_str()),
                ("9783161484100", "The Tides", "a study")
            );
            assert_eq!((book.english_title.as_str(), book.language.as_str()), ("English Tides", "zh"));
            let people: Vec<_> = book.contributors.iter().map(|one| (one.role.as_str(), one.name.listed())).collect();
            assert_eq!(people, [("author", "Lovelace Ada".to_owned()), ("translator", "王小明".to_owned())]);
            assert_eq!(book.contributors[0].bio, "Born.\nLived.");
            assert_eq!((book.contents.as_str(), book.description.as_str()), ("One\nTwo", "About tides & ebbs."));
            assert_eq!(
                (book.published.as_str(), book.first_published.as_str(), book.pages),
                ("2026-03-01", "1999", Some(245))
            );
            assert_eq!(book.subjects, ["sea", "water"]);
            assert_eq!(book.cover, "https://x.example/c.jpg");
            assert!(fault.to_string().starts_with("ONIX, record 2, line"), "{fault}");
            assert!(gone.withdrawn && gone.isbn.is_empty() && gone.warnings.len() == 1);
        }
    }

    #[test]
    fn a_date_that_no_calendar_has_is_cut_and_reported() {
        let text = LONG.replace("20260301", "20260230");
        let Some(Ok(book)) = products(text.as_bytes()).next() else { panic!("no book") };
        assert_eq!(book.published, "2026-02");
        let said =
            "ONIX, record 1, line 2, PublishingDate: no calendar has the day 30 of month 2 of the date \"20260230\"";
        assert!(book.warnings.len() == 1 && book.warnings[0].starts_with(said), "{:?}", book.warnings);
    }

    #[test]
    fn other_releases_and_other_xml_are_refused() {
        for (text, expected) in [
            ("<ONIXMessage release='2.1'><Product/></ONIXMessage>", "ONIX 2.1"),
            ("<article/>", "<article>"),
            ("<ONIXMessage release='3.0'/>", "no product"),
            ("%PDF", "outside"),
        ] {
            let error = products(text.as_bytes()).next().unwrap().unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            assert!(products(text.as_bytes()).count() == 1);
        }
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0_usize..LONG.len(), byte: u8, cut in 0_usize..LONG.len()) {
            let mut bytes = LONG.as_bytes().to_vec();
            bytes[at] = byte;
            prop_assert!(products(bytes.as_slice()).count() < 10);
            bytes.truncate(cut);
            prop_assert!(products(bytes.as_slice()).count() < 10);
        }
    }
}
