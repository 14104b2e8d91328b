//! An article of OJS with its files.

use std::{
    fs,
    path::{Path, PathBuf},
};

use masthead_documents::jats::Omission;
use masthead_domain::{
    ArticleId,
    article::Article,
    content::{Abstract, Graphics, Node},
    lang::same_language,
};
use masthead_formats::catalogues::ojs::{OjsArticle, OjsFile};
use masthead_store::RedirectTarget;

use crate::{
    files,
    import::{
        Importer, Item, Prepared,
        article::{SourceFolder, from_other_format},
        assets, html_galley, job,
        ojs::{TargetJournal, leave_out},
        ojs_addresses::{ArticleNames, Moved, MovedFile},
        resources::path_in_folder,
    },
    scratch::Scratch,
};

/// Largest file that is taken, in bytes: the limit of the files of all articles.
const LARGEST: u64 = 64 << 20;

impl Importer {
    /// Stores an article with its files, and notes the addresses that they had.
    pub(super) async fn ojs_article(
        &mut self,
        source: OjsArticle,
        target: &TargetJournal,
        beside: &Path,
        mut item: Item,
        moved: &mut Moved,
        export: &mut Item,
    ) -> anyhow::Result<Item> {
        let mut article = source.article;
        // All articles of an export are of one journal, whatever their JATS calls it.
        if !target.of.title.is_empty() {
            article.meta.journal.clone_from(&target.of);
        }
        self.ojs_identity(&mut article, &source.id, target).await?;
        let folder = Scratch::new(&self.scratch, "article-")?;
        let names = lay_out(&source.files, beside, folder.path(), &mut item, &mut export.left_out)?;
        let laid_out = Files { files: &source.files, names: &names };
        if let Some(pdf) = laid_out.galley(|file| file.mime == "application/pdf", &article.meta.language) {
            pdf.clone_into(&mut article.meta.pdf);
        }
        if source.source.is_none()
            && let Some(page) = laid_out.galley(OjsFile::is_html, &article.meta.language)
        {
            take_page(&mut article, folder.path(), page, &mut item).await?;
        }
        let covers = laid_out.covers(&article.meta.language);
        if article.body.abstract_graphic.is_empty() {
            article.body.abstract_graphic = covers;
        } else {
            let reason = "the article has a graphical abstract; the picture is among its files";
            leave_out(&mut export.left_out, "covers of articles", reason, covers.len());
        }
        let (imported, digest) = from_other_format(article, names.iter().flatten().cloned().collect())?;
        let ready =
            self.converter.store(imported, digest, SourceFolder { folder: folder.path(), stem: "" }, &mut item).await;
        let done = self.commit(Prepared { item, ready }).await;
        if let Some(id) = done.article.map(ArticleId) {
            if !source.id.is_empty() {
                self.ojs.articles.insert(source.id.clone(), id);
            }
            let files = self.moved_files(id, &laid_out).await?;
            let others = vec![source.url_path.as_str(), source.public_id.as_str()];
            let names = ArticleNames { number: &source.id, others, versions: &source.versions, files: &files };
            moved.article(&names, id);
        }
        Ok(done)
    }

    /// Keeps the number of OJS among the identifiers, and finds the article that an earlier import has stored, whatever identifiers
    /// it had then: by its old address, its identifiers, its number in OJS. An article that has another number was put behind the
    /// old address by an editor.
    async fn ojs_identity(&self, article: &mut Article, number: &str, target: &TargetJournal) -> anyhow::Result<()> {
        if number.is_empty() || target.key.is_empty() {
            return Ok(());
        }
        let meta = &mut article.meta;
        let own = format!("{}/{number}", target.key);
        let (by_number, by_content) = (format!("ojs:{own}"), meta.source_key.clone());
        let number_here = ("ojs".to_owned(), own);
        meta.ids.push(number_here.clone());
        if by_content.starts_with("sha256:") {
            meta.source_key.clone_from(&by_number);
        }
        let store = &self.converter.media_writer.store;
        if self.converter.dry_run || store.article_id_by_key(&meta.source_key).await?.is_some() {
            return Ok(());
        }
        let mut known = None;
        for prefix in &target.prefixes {
            let from = format!("{prefix}/article/view/{number}");
            if let Some(RedirectTarget::Article(id)) =
                self.ojs.store.redirect(self.converter.media_writer.site, &from).await?
                && store.article(id).await?.is_some_and(|stored| stored.meta.ids.contains(&number_here))
            {
                known = Some(id);
            }
        }
        for key in [&by_number, &by_content] {
            if known.is_none() {
                known = store.article_id_by_key(key).await?;
            }
        }
        if let Some(id) = known {
            store.rename_source_key(id, &meta.source_key).await?;
        }
        Ok(())
    }

    /// The files with the addresses at which they are downloaded now.
    async fn moved_files<'a>(&self, id: ArticleId, laid_out: &Files<'a>) -> anyhow::Result<Vec<MovedFile<'a>>> {
        let stored = self.converter.media_writer.store.article(id).await?;
        let address = |name: &String| {
            let file = stored.as_ref()?.files.iter().find(|file| file.name == *name)?;
            let digest = files::digest(&file.address)?;
            Some(format!("/rc-pub/front/front-article/download?id={id}&type=file&file={digest}"))
        };
        let all = laid_out.files.iter().zip(laid_out.names);
        let one = |(file, name): (&'a OjsFile, &Option<String>)| MovedFile {
            file,
            address: name.as_ref().and_then(address).unwrap_or_default(),
        };
        Ok(all.map(one).collect())
    }
}

/// Files of an article, and the names that they have in the folder of the article; `None` for those that are not there.
struct Files<'a> {
    files: &'a [OjsFile],
    names: &'a [Option<String>],
}

impl Files<'_> {
    /// The name of a galley, in the language of the article if there is one.
    fn galley(&self, wanted: impl Fn(&OjsFile) -> bool, language: &str) -> Option<&str> {
        let all = || {
            let there = self.files.iter().zip(self.names).filter_map(|(file, name)| Some((file, name.as_deref()?)));
            there.filter(|(file, _)| file.role == "galley" && wanted(file))
        };
        let own = all().find(|(file, _)| same_language(&file.language, language));
        own.or_else(|| all().next()).map(|(_, name)| name)
    }

    /// The covers of the article as graphical abstracts, one a language: JATS and the pages here have no other picture that stands for an
    /// article, and journals use the cover of OJS for it.
    fn covers(&self, language: &str) -> Vec<Abstract> {
        let all = self.files.iter().zip(self.names).filter(|(file, _)| file.role == "cover");
        let one = |(file, name): (&OjsFile, &Option<String>)| {
            let picture = Graphics { big: name.clone()?, alt: file.alt.clone(), ..Graphics::default() };
            Some(Abstract {
                lang: if file.language.is_empty() { language.to_owned() } else { file.language.clone() },
                kind: "graphical".to_owned(),
                title: None,
                nodes: vec![Node::Graphic(Box::new(picture))],
            })
        };
        all.filter_map(one).collect()
    }
}

/// Takes the text of an HTML galley. A page that cannot be taken stays a file.
async fn take_page(article: &mut Article, folder: &Path, name: &str, item: &mut Item) -> anyhow::Result<()> {
    let (path, title) = (folder.join(name), article.meta.titles.first().map(|title| title.plain.clone()));
    let page = tokio::task::spawn_blocking(move || -> anyhow::Result<html_galley::GalleyPage> {
        html_galley::read(&fs::read(path)?, &title.unwrap_or_default())
    });
    match page.await? {
        Ok(page) => {
            article.body.body = page.nodes;
            let missing = page.pictures.iter().filter(|picture| assets::find(folder, picture).is_none());
            item.warnings
                .extend(missing.map(|picture| format!("the picture {picture} of {name} is not in the export")));
            let removed = page.removed.iter();
            item.warnings.extend(
                removed.map(|(element, times)| format!("{name}: {times} elements <{element}> are not in the text")),
            );
        }
        Err(error) => item.warnings.push(format!("{name} is offered as a file and not as the text: {error:#}")),
    }
    Ok(())
}

/// Writes the files to a folder, and returns the name of each there. Files on other servers are not fetched; a warning names them.
fn lay_out(
    sources: &[OjsFile],
    beside: &Path,
    folder: &Path,
    item: &mut Item,
    left_out: &mut Vec<Omission>,
) -> anyhow::Result<Vec<Option<String>>> {
    let mut names: Vec<Option<String>> = Vec::with_capacity(sources.len());
    for file in sources {
        let linked = if file.bytes.is_empty() { linked(beside, &file.href) } else { None };
        if file.bytes.is_empty() && linked.is_none() {
            item.warnings.push(format!("the file {} is not in the export, only named ({})", file.name, file.href));
            let reason = "they are on another server or not beside the export, and are not fetched";
            leave_out(left_out, "files that are only named", reason, 1);
            names.push(None);
            continue;
        }
        let name = free_name(&file.name, &names);
        match linked {
            Some(path) if fs::metadata(&path)?.len() > LARGEST => {
                item.warnings.push(format!("the file {} has more than {LARGEST} bytes", file.href));
                leave_out(left_out, "files that are too large", "a file has at most 64 MiB", 1);
                names.push(None);
                continue;
            }
            Some(path) => fs::copy(path, folder.join(&name)).map(|_| ())?,
            None => fs::write(folder.join(&name), &file.bytes)?,
        }
        names.push(Some(name));
    }
    Ok(names)
}

/// A name for a file that no other has: galleys in two languages often have the same.
fn free_name(wanted: &str, taken: &[Option<String>]) -> String {
    let name = if wanted.is_empty() { "file".to_owned() } else { job::file_name(wanted) };
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) => (stem, format!(".{ending}")),
        None => (name.as_str(), String::new()),
    };
    let mut names = std::iter::once(name.clone()).chain((2..).map(|number: usize| format!("{stem}-{number}{ending}")));
    names.find(|name| taken.iter().flatten().all(|known| known != name)).unwrap_or_default()
}

/// A file that an export names by its path; `None` if it is not in the folder of the export.
fn linked(folder: &Path, href: &str) -> Option<PathBuf> {
    if href.is_empty() || href.contains("://") {
        return None;
    }
    let root = folder.canonicalize().ok()?;
    let path = path_in_folder(folder, href).ok()?.canonicalize().ok()?;
    (path.starts_with(&root) && path.is_file()).then_some(path)
}

/// The content of such a file, if it is not too large.
pub(super) fn linked_bytes(folder: &Path, href: &str) -> Option<Vec<u8>> {
    let path = linked(folder, href)?;
    (fs::metadata(&path).ok()?.len() <= LARGEST).then(|| fs::read(path).ok()).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn files_of_the_same_name_get_names_of_their_own() {
        let mut names = Vec::new();
        for wanted in ["a.pdf", "a.pdf", "../a.pdf", "", "", "b"] {
            let name = free_name(wanted, &names);
            names.push(Some(name));
        }
        let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        assert_eq!(names, ["a.pdf", "a-2.pdf", "a-3.pdf", "file", "file-2", "b"]);
    }

    #[test]
    fn only_files_beside_the_export_are_linked() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("export");
        fs::create_dir_all(folder.join("files")).unwrap();
        for name in ["export/files/a.pdf", "secret.pdf"] {
            fs::write(top.path().join(name), name).unwrap();
        }
        std::os::unix::fs::symlink(top.path().join("secret.pdf"), folder.join("files/b.pdf")).unwrap();
        assert_eq!(linked_bytes(&folder, "files/a.pdf").unwrap(), b"export/files/a.pdf");
        for href in [
            "../secret.pdf",
            "files/../../secret.pdf",
            "/etc/passwd",
            "files/b.pdf",
            "files",
            "",
            "https://a.example/a.pdf",
        ] {
            assert_eq!(linked_bytes(&folder, href), None, "{href}");
        }
    }
}
