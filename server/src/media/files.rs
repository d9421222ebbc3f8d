//! Keeps files: in a folder, or in storage that speaks S3. Their names are made here from ids, so that nobody's input
//! ever becomes a path. Whether somebody may see a file is decided elsewhere.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path as FolderPath, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use axum::body::Bytes;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{Error, ObjectStore, ObjectStoreExt};
use walkies_core::Id;
use walkies_core::map::TileId;

/// The two sizes in which each photo is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PhotoSize {
    /// As large as it is kept.
    Full,
    /// A small one for lists.
    Thumb,
}

/// The name of a file, made from ids alone.
///
/// Files are stored under these names. Never change how one is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileName(Path);

impl FileName {
    /// Names the file of a photo of a sitter's business, in one of its sizes.
    pub fn photo(sitter_id: Id, photo_id: Id, size: PhotoSize) -> Self {
        let size = match size {
            PhotoSize::Full => "full",
            PhotoSize::Thumb => "thumb",
        };
        Self(Path::from(format!(
            "{sitter_id}/photo/{photo_id}/{size}.jpg"
        )))
    }

    /// Names the file of a sitter's document.
    pub fn document(sitter_id: Id, file_id: Id) -> Self {
        Self(Path::from(format!("{sitter_id}/document/{file_id}")))
    }

    /// Names the file of a piece of a video of a sitter's business.
    pub fn video_piece(sitter_id: Id, file_id: Id) -> Self {
        Self(Path::from(format!("{sitter_id}/video/{file_id}")))
    }

    /// Names the file of a tile of the map, which is compressed with brotli.
    pub fn map_tile(area_id: Id, tile: TileId) -> Self {
        let TileId { x, y } = tile;
        Self(Path::from(format!("map/{area_id}/{x}-{y}.wktl.br")))
    }
}

/// Storage for files: a folder of this machine, or a bucket that speaks S3.
#[derive(Clone, Debug)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    is_configured: bool,
    /// The folder on this machine, if files are kept in one.
    folder: Option<PathBuf>,
}

impl Files {
    /// Opens a place: `s3://bucket` or `s3://bucket/prefix`, with the keys, the region and the endpoint in the
    /// usual `AWS_…` variables; `none` for a server that keeps no photos; anything else is a folder, which is
    /// made if need be.
    pub fn open(place: &str) -> anyhow::Result<Self> {
        if place == "none" {
            return Ok(Self {
                store: Arc::new(InMemory::new()),
                is_configured: false,
                folder: None,
            });
        }
        match place.strip_prefix("s3://") {
            Some(bucket) => {
                let (bucket, prefix) = bucket.split_once('/').unwrap_or((bucket, ""));
                Self::s3(AmazonS3Builder::from_env().with_bucket_name(bucket), prefix)
            }
            None if place.contains("://") => {
                bail!("`{place}` is no place for files: it is a folder or begins with s3://")
            }
            None => Self::folder(FolderPath::new(place)),
        }
    }

    /// In a folder of this machine.
    pub fn folder(folder: &FolderPath) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
        // With fsync: what was acknowledged is there after a power cut, as with the database.
        let store = LocalFileSystem::new_with_prefix(folder)?
            .with_fsync(true)
            .with_automatic_cleanup(true);
        Ok(Self {
            store: Arc::new(store),
            is_configured: true,
            folder: Some(folder.to_owned()),
        })
    }

    fn s3(builder: AmazonS3Builder, prefix: &str) -> anyhow::Result<Self> {
        // The HTTP client behind it panics when no provider of cryptography was chosen; an error
        // here only says that one was chosen before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = builder
            // One file is deleted at a time, and not all that speaks S3 knows the call for many.
            .with_disable_bulk_delete(true)
            .build()
            .context("the S3 storage is not fully configured")?;
        Ok(Self {
            store: Arc::new(PrefixStore::new(store, prefix)),
            is_configured: true,
            folder: None,
        })
    }

    /// Returns true if storage is configured; without it no file may be put.
    pub const fn is_configured(&self) -> bool {
        self.is_configured
    }

    /// A file without a name on the disk of this machine, of which nothing is left when it is closed, whatever happens.
    pub fn temporary(&self) -> std::io::Result<std::fs::File> {
        match &self.folder {
            Some(folder) => tempfile::tempfile_in(folder),
            None => tempfile::tempfile(),
        }
    }

    /// Keeps a file; what had the name before is replaced, at once and whole.
    pub async fn put(&self, name: &FileName, bytes: Bytes) -> Result<(), Error> {
        self.store.put(&name.0, bytes.into()).await.map(drop)
    }

    /// A file's bytes, or `None` when there is no such file.
    pub async fn get(&self, name: &FileName) -> Result<Option<Bytes>, Error> {
        match self.store.get(&name.0).await {
            Ok(found) => found.bytes().await.map(Some),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Some of a file's bytes, or `None` when there is no such file.
    pub async fn get_range(
        &self,
        name: &FileName,
        range: Range<u64>,
    ) -> Result<Option<Bytes>, Error> {
        match self.store.get_range(&name.0, range).await {
            Ok(bytes) => Ok(Some(bytes)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deletes a file; one that is not there is deleted already.
    pub async fn delete(&self, name: &FileName) -> Result<(), Error> {
        match self.store.delete(&name.0).await {
            Err(Error::NotFound { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    /// Deletes what is left beside the tiles of an area of the map: in a folder each file is first written under another
    /// name, which stays where the process is killed just then.
    pub async fn delete_rest_of_map(&self, area_id: Id) -> std::io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let folder = folder.join("map").join(area_id.to_string());
        match tokio::fs::remove_dir_all(folder).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            outcome => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::Router;
    use axum::extract::{Request, State};
    use axum::http::{HeaderValue, Method, StatusCode};
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    fn full(photo: u128) -> FileName {
        FileName::photo(Id::of(1), Id::of(photo), PhotoSize::Full)
    }

    async fn tells_its_story(files: &Files) {
        assert_eq!(files.get(&full(7)).await.expect("an answer"), None);
        files
            .put(&full(7), Bytes::from_static(b"first"))
            .await
            .expect("kept");
        files
            .put(&full(7), Bytes::from_static(b"second"))
            .await
            .expect("replaced");
        files
            .put(&full(8), Bytes::from_static(b"other"))
            .await
            .expect("kept");
        let found = files.get(&full(7)).await.expect("an answer");
        assert_eq!(found.as_deref(), Some(&b"second"[..]));
        let some = files.get_range(&full(7), 1..4).await.expect("an answer");
        assert_eq!(some.as_deref(), Some(&b"eco"[..]));
        let none = files.get_range(&full(9), 1..4).await.expect("an answer");
        assert_eq!(none, None);
        files.delete(&full(7)).await.expect("deleted");
        files.delete(&full(7)).await.expect("deleted already");
        assert_eq!(files.get(&full(7)).await.expect("an answer"), None);
        assert!(files.get(&full(8)).await.expect("an answer").is_some());
    }

    #[tokio::test]
    async fn a_folder_keeps_replaces_and_deletes() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("made/when/needed");
        let place = place.to_str().expect("a name");
        tells_its_story(&Files::open(place).expect("a folder")).await;
    }

    #[tokio::test]
    async fn what_a_folder_keeps_is_there_when_it_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = Files::folder(folder.path()).expect("a folder");
        files
            .put(&full(7), Bytes::from_static(b"kept"))
            .await
            .expect("kept");
        let again = Files::folder(folder.path()).expect("a folder");
        assert!(again.get(&full(7)).await.expect("an answer").is_some());
    }

    /// As much of S3 as is asked for, with the objects' paths as keys.
    async fn speak_s3(
        State(objects): State<Arc<Mutex<BTreeMap<String, Bytes>>>>,
        request: Request,
    ) -> (StatusCode, [(&'static str, String); 3], Bytes) {
        let is_signed = request.headers().contains_key("authorization");
        let range = request.headers().get("range").cloned();
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let body = axum::body::to_bytes(request.into_body(), 1024)
            .await
            .expect("a body");
        let mut objects = objects.lock().expect("one at a time");
        let mut content_range = String::new();
        let (status, bytes) = match method {
            _ if !is_signed => (StatusCode::FORBIDDEN, Bytes::new()),
            Method::PUT => {
                objects.insert(path, body);
                (StatusCode::OK, Bytes::new())
            }
            Method::DELETE => {
                objects.remove(&path);
                (StatusCode::NO_CONTENT, Bytes::new())
            }
            _ => match objects.get(&path) {
                Some(bytes) => match range.as_ref().map(first_and_last) {
                    Some((first, last)) => {
                        content_range = format!("bytes {first}-{last}/{}", bytes.len());
                        (StatusCode::PARTIAL_CONTENT, bytes.slice(first..=last))
                    }
                    None => (StatusCode::OK, bytes.clone()),
                },
                None => (StatusCode::NOT_FOUND, Bytes::new()),
            },
        };
        (
            status,
            [
                ("etag", "\"1\"".to_owned()),
                ("last-modified", "Fri, 20 Nov 2026 12:00:00 GMT".to_owned()),
                ("content-range", content_range),
            ],
            bytes,
        )
    }

    /// Parses the first and the last position out of a range header such as `bytes=1-3`.
    fn first_and_last(range: &HeaderValue) -> (usize, usize) {
        let numbers = range.to_str().expect("text").trim_start_matches("bytes=");
        let (first, last) = numbers.split_once('-').expect("two numbers");
        let number = |it: &str| it.parse().expect("a number");
        (number(first), number(last))
    }

    #[tokio::test]
    async fn storage_that_speaks_s3_keeps_replaces_and_deletes() {
        let objects = Arc::new(Mutex::new(BTreeMap::new()));
        let router = Router::new()
            .fallback(speak_s3)
            .with_state(Arc::clone(&objects));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, router).await });
        let builder = AmazonS3Builder::new()
            .with_bucket_name("photos")
            .with_endpoint(format!("http://{address}"))
            .with_allow_http(true)
            .with_region("eu-north-1")
            .with_access_key_id("key")
            .with_secret_access_key("secret");
        tells_its_story(&Files::s3(builder, "walkies").expect("storage")).await;
        let names: Vec<String> = objects
            .lock()
            .expect("one at a time")
            .keys()
            .cloned()
            .collect();
        assert_eq!(
            names,
            [format!(
                "/photos/walkies/{}/photo/{}/full.jpg",
                Id::of(1),
                Id::of(8)
            )]
        );
    }

    #[test]
    fn an_unknown_kind_of_place_is_named_and_turned_down() {
        let error = Files::open("ftp://photos").expect_err("no place");
        assert!(error.to_string().contains("ftp://photos"), "{error}");
    }

    #[test]
    fn both_sizes_of_a_photo_have_names_of_their_own() {
        let name = |size| FileName::photo(Id::of(1), Id::of(2), size);
        assert_ne!(name(PhotoSize::Full), name(PhotoSize::Thumb));
    }
}
