//! Photos, videos and documents that people send: quotas, checks, files and rows. Reading the request is the calls' part.

pub(crate) mod documents;
pub(crate) mod photos;
pub(crate) mod videos;
