//! Stored files, and what is accepted as a photo or a video.

pub mod files;
pub mod photo;
pub mod video;
