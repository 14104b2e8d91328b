//! HTML of figures, pictures, media and files.

use masthead_domain::content::{Caption, Fig, FigGroup, Graphics, Media};

use super::{
    Renderer, StoredFile,
    links::{escape, quote},
};
use masthead_domain::content::text::plain;

impl Renderer<'_> {
    pub(super) fn fig(&mut self, fig: &Fig, out: &mut String) {
        self.generated += 1;
        let fallback = format!("fig-{}", self.generated);
        let id = self.claim(&fig.id, &fallback);
        let kind = if fig.kind.is_empty() { String::new() } else { format!(" data-kind=\"{}\"", quote(&fig.kind)) };
        out.push_str(&format!("<figure class=\"fig\" id=\"{0}\" data-fig=\"{0}\"{kind}>", quote(&id)));
        let alt = alt_text(&fig.label, &fig.captions);
        for graphic in &fig.graphics {
            self.picture(graphic, "fig-image", &alt, out);
        }
        self.flow(&fig.nodes, out);
        out.push_str("<figcaption>");
        self.caption(&fig.label, &fig.captions, out);
        if !fig.notes.is_empty() {
            out.push_str("<div class=\"fig-note\">");
            self.flow(&fig.notes, out);
            out.push_str("</div>");
        }
        out.push_str("</figcaption></figure>");
    }

    pub(super) fn fig_group(&mut self, group: &FigGroup, out: &mut String) {
        let id = self.id_attr(&group.id);
        out.push_str(&format!("<figure class=\"fig-group\"{id}>"));
        self.flow(&group.nodes, out);
        out.push_str("<figcaption>");
        self.caption(&group.label, &group.captions, out);
        out.push_str("</figcaption></figure>");
    }

    pub(super) fn caption(&mut self, label: &str, captions: &[Caption], out: &mut String) {
        if captions.is_empty() && !label.is_empty() {
            out.push_str("<p class=\"caption-title\" data-caption-title=\"\">");
            self.label("caption-label", label, out);
            out.push_str("</p>");
        }
        for (index, caption) in captions.iter().enumerate() {
            let attributes = self.lang_attr(&caption.lang);
            let html = self.within(&caption.lang, |this, html| {
                let label = if index == 0 { label } else { "" };
                if !label.is_empty() || !caption.title.is_empty() {
                    html.push_str("<p class=\"caption-title\" data-caption-title=\"\">");
                    this.label("caption-label", label, html);
                    if !label.is_empty() && !caption.title.is_empty() {
                        html.push(' ');
                    }
                    this.inline(&caption.title, html);
                    html.push_str("</p>");
                }
                this.flow(&caption.nodes, html);
            });
            out.push_str(&format!("<div class=\"caption\"{attributes}>{html}</div>"));
        }
    }

    /// A picture, or a placeholder with the file's name if the file is missing.
    pub(super) fn picture(&mut self, graphic: &Graphics, class: &str, alt: &str, out: &mut String) {
        let alt = if graphic.alt.is_empty() { alt } else { &graphic.alt };
        let found = [&graphic.big, &graphic.print, &graphic.small]
            .into_iter()
            .filter(|href| !href.is_empty())
            .find_map(|href| (self.asset_url)(href));
        // Pictures on other servers are not shown: a page sends no requests to other origins.
        let Some(StoredFile { url: src, size, small, .. }) = found else {
            let name = graphic.big.rsplit('/').next().unwrap_or_default();
            let label = if alt.is_empty() { name } else { alt };
            out.push_str(&format!(
                "<span class=\"asset-missing {class}\" role=\"img\" aria-label=\"{}\" data-missing=\"{}\"></span>",
                quote(label),
                quote(&graphic.big)
            ));
            return;
        };
        let mut extra = String::new();
        if let Some((width, height)) = size {
            extra.push_str(&format!(" width=\"{width}\" height=\"{height}\""));
        }
        let own_small = (!graphic.small.is_empty()).then(|| self.file(&graphic.small)).flatten();
        for (key, url) in [("data-small", own_small.unwrap_or(small)), ("data-original", self.original(graphic))] {
            if !url.is_empty() && url != src {
                extra.push_str(&format!(" {key}=\"{}\"", quote(&url)));
            }
        }
        if !graphic.description.is_empty() {
            extra.push_str(&format!(" data-description=\"{}\"", quote(&graphic.description)));
        }
        out.push_str(&format!(
            "<img class=\"{class}\" loading=\"lazy\" decoding=\"async\" src=\"{}\" alt=\"{}\"{extra}>",
            quote(&src),
            quote(alt)
        ));
    }

    /// Address of the file that readers download: the version for print as it came, or else the picture as it came; "" if there is none.
    fn original(&self, graphic: &Graphics) -> String {
        let came = |href: &String| {
            let StoredFile { url, original, .. } = (self.asset_url)(href)?;
            Some(if original.is_empty() { url } else { original })
        };
        [&graphic.print, &graphic.big].into_iter().filter(|href| !href.is_empty()).find_map(came).unwrap_or_default()
    }

    pub(super) fn media(&mut self, media: &Media, class: &str, out: &mut String) {
        let id = self.id_attr(&media.id);
        let alt = if media.alt.is_empty() { String::new() } else { format!(" aria-label=\"{}\"", quote(&media.alt)) };
        out.push_str(&format!("<figure class=\"{class}\"{id}{alt}>"));
        let url = if media.href.is_empty() { None } else { self.file(&media.href) };
        let name = media.href.rsplit('/').next().unwrap_or_default().to_owned();
        let kind = media.mime.split('/').next().unwrap_or_default();
        match (&url, kind) {
            (Some(url), "video") => out.push_str(&format!(
                "<video controls preload=\"metadata\" src=\"{}\" aria-label=\"{}\"></video>",
                quote(url),
                quote(&name)
            )),
            (Some(url), "audio") => out.push_str(&format!(
                "<audio controls preload=\"metadata\" src=\"{}\" aria-label=\"{}\"></audio>",
                quote(url),
                quote(&name)
            )),
            _ => {}
        }
        out.push_str("<figcaption>");
        self.caption(&media.label, &media.captions, out);
        if !media.href.is_empty() {
            out.push_str("<p class=\"file\">");
            self.file_link(&media.href, &media.mime, &name, out);
            out.push_str("</p>");
        }
        out.push_str("</figcaption>");
        self.flow(&media.nodes, out);
        out.push_str("</figure>");
    }

    pub(super) fn inline_media(&mut self, media: &Media, out: &mut String) {
        let id = self.id_attr(&media.id);
        out.push_str(&format!("<span class=\"inline-media\"{id}>"));
        let url = if media.href.is_empty() || self.in_link { None } else { self.file(&media.href) };
        match url {
            Some(url) => {
                out.push_str(&format!(
                    "<a class=\"file-link\" href=\"{}\" rel=\"noopener noreferrer\" data-mime=\"{}\">",
                    quote(&url),
                    quote(&media.mime)
                ));
                self.in_link = true;
                if media.nodes.is_empty() {
                    out.push_str(&escape(media.href.rsplit('/').next().unwrap_or_default()));
                }
                self.inline(&media.nodes, out);
                self.in_link = false;
                out.push_str("</a>");
            }
            None => self.inline(&media.nodes, out),
        }
        out.push_str("</span>");
    }

    fn file_link(&self, href: &str, mime: &str, name: &str, out: &mut String) {
        match self.file(href) {
            Some(url) => out.push_str(&format!(
                "<a class=\"file-link\" href=\"{}\" rel=\"noopener noreferrer\" data-mime=\"{}\">{}</a>",
                quote(&url),
                quote(mime),
                escape(name)
            )),
            None => out.push_str(&format!(
                "<span class=\"file-missing\" data-missing=\"{}\">{}</span>",
                quote(href),
                escape(name)
            )),
        }
    }
}

/// Alternative text of a picture that the source does not describe: its label and heading.
pub(super) fn alt_text(label: &str, captions: &[Caption]) -> String {
    let heading = captions
        .first()
        .map(|caption| if caption.title.is_empty() { plain(&caption.nodes) } else { plain(&caption.title) })
        .unwrap_or_default();
    let whole = format!("{label} {heading}");
    let whole = whole.trim();
    if whole.chars().count() <= 200 {
        whole.to_owned()
    } else {
        format!("{}…", whole.chars().take(199).collect::<String>())
    }
}
