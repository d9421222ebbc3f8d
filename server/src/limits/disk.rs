//! Owns the reserve of the disk that the data is on: below it files and imports are refused, so that everybody's small
//! writes and sign-ins go on. When the reserve comes near, whoever stores more than a share of the disk is refused first.

use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use walkies_core::Id;

use crate::base::error::AppError;
use crate::base::metrics;
use crate::db::{self, Db};

/// Room for hours of everybody's small writes; on a small disk a tenth of it.
const RESERVE_BYTES: u64 = 512 * 1024 * 1024;
const RESERVE_SHARE: u64 = 10;
/// Divisor of the disk's size: near the reserve a business that stores more than this share uploads no more.
const BUSINESS_SHARE: u64 = 10;
/// Multiple of the reserve below which the shares count.
const NEAR_FACTOR: u64 = 2;

/// Size and free space of a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Size of the disk.
    pub total: u64,
    /// Free for this process.
    pub free: u64,
}

impl Space {
    /// Bytes that uploads and imports leave free.
    pub fn reserve(self) -> u64 {
        RESERVE_BYTES.min(self.total / RESERVE_SHARE)
    }
}

/// Reader of the free disk space.
pub trait FreeSpace: Debug + Send + Sync {
    /// Reads it; `None` if the system cannot tell.
    fn read(&self) -> Option<Space>;
}

/// The disks of these folders: the one that has the least left above its reserve.
#[derive(Clone, Debug)]
pub struct Folders(pub Vec<PathBuf>);

impl FreeSpace for Folders {
    fn read(&self) -> Option<Space> {
        let disks = self.0.iter().filter_map(|it| {
            let disk = rustix::fs::statvfs(it).ok()?;
            Some(Space {
                total: disk.f_blocks * disk.f_frsize,
                free: disk.f_bavail * disk.f_frsize,
            })
        });
        disks.min_by_key(|it| it.free.saturating_sub(it.reserve()))
    }
}

/// Room for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Plenty,
    /// The reserve is near.
    Little,
    None,
}

/// The disk that the data is on.
#[derive(Debug)]
pub struct Disk {
    reader: Option<Arc<dyn FreeSpace>>,
    /// Set by the first refusal, so that the operator is told once until there is room again.
    has_refused: AtomicBool,
}

impl Disk {
    /// Without a reader nothing is ever refused.
    pub const fn new(reader: Option<Arc<dyn FreeSpace>>) -> Self {
        Self {
            reader,
            has_refused: AtomicBool::new(false),
        }
    }

    /// Reads the free space; `None` without a reader.
    pub fn space(&self) -> Option<Space> {
        self.reader.as_ref()?.read()
    }

    /// Returns `true` if less than the reserve is free.
    pub fn is_low(&self) -> bool {
        self.space().is_some_and(|it| it.free < it.reserve())
    }

    fn room(&self, bytes: u64) -> Room {
        let Some(space) = self.space() else {
            return Room::Plenty;
        };
        let reserve = space.reserve();
        if space.free < reserve.saturating_add(bytes) {
            return Room::None;
        }
        if space.free < (NEAR_FACTOR * reserve).saturating_add(bytes) {
            return Room::Little;
        }
        if self.has_refused.swap(false, Ordering::Relaxed) {
            tracing::info!(free_bytes = space.free, "the disk has room again");
        }
        Room::Plenty
    }

    /// Returns `true` if an import of so many bytes leaves the reserve alone.
    pub fn has_room(&self, bytes: u64) -> bool {
        let has_room = self.room(bytes) != Room::None;
        if !has_room {
            self.note_refusal("reserve");
        }
        has_room
    }

    /// Refuses a file that would use the reserve, and near the reserve any file of a business that stores more than its share.
    pub async fn check_room(&self, db: &Db, sitter_id: Id, bytes: u64) -> Result<(), AppError> {
        let why = match self.room(bytes) {
            Room::Plenty => return Ok(()),
            Room::None => "reserve",
            Room::Little => {
                let mut tx = db.read_autocommit().await?;
                let (_, photos) = db::uploads(&mut tx, sitter_id, None, 0).await?;
                let videos = db::video_bytes(&mut tx, sitter_id).await?;
                let import = db::find_import(&mut tx, sitter_id).await?;
                let archive = import.map_or(0, |it| it.received_bytes);
                let share = self.space().map_or(0, |it| it.total / BUSINESS_SHARE);
                if photos + videos + archive <= share {
                    return Ok(());
                }
                "share"
            }
        };
        self.note_refusal(why);
        Err(AppError::StorageLow)
    }

    fn note_refusal(&self, why: &'static str) {
        metrics::storage_refusal(why);
        if !self.has_refused.swap(true, Ordering::Relaxed) {
            let space = self.space();
            let free_bytes = space.map(|it| it.free);
            let reserve_bytes = space.map(Space::reserve);
            tracing::error!(
                why,
                free_bytes,
                reserve_bytes,
                "the disk is nearly full: files and imports are refused until there is room"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1024 * 1024 * 1024;

    #[derive(Debug)]
    struct Fixed(Space);

    impl FreeSpace for Fixed {
        fn read(&self) -> Option<Space> {
            Some(self.0)
        }
    }

    fn room(total: u64, free: u64, bytes: u64) -> Room {
        Disk::new(Some(Arc::new(Fixed(Space { total, free })))).room(bytes)
    }

    #[test]
    fn a_reserve_is_left_on_a_large_disk_and_a_tenth_of_a_small_one() {
        assert_eq!(room(100 * GB, 2 * GB, 0), Room::Plenty);
        assert_eq!(room(100 * GB, GB, 1), Room::Little);
        assert_eq!(room(100 * GB, RESERVE_BYTES, 0), Room::Little);
        assert_eq!(room(100 * GB, RESERVE_BYTES, 1), Room::None);
        assert_eq!(room(1_000, 300, 99), Room::Plenty);
        assert_eq!(room(1_000, 150, 0), Room::Little);
        assert_eq!(room(1_000, 150, 51), Room::None);
    }

    #[test]
    fn where_nobody_can_tell_nothing_is_refused() {
        assert!(Disk::new(None).has_room(u64::MAX));
        let nowhere = Folders(vec![PathBuf::from("/nowhere/at/all")]);
        assert!(Disk::new(Some(Arc::new(nowhere))).has_room(u64::MAX));
    }

    #[test]
    fn the_disk_of_a_folder_has_more_than_it_has_free() {
        let space = Folders(vec![std::env::temp_dir()]).read();
        let space = space.expect("there is a disk");
        assert!(0 < space.total && space.free <= space.total);
    }
}
