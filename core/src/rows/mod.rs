//! Owns what is stored: a file for each table with its fields, its defaults and what of it may be edited, and `Business`,
//! the rows of one sitter.

pub mod availability_config;
pub mod blocked_time;
pub mod business;
pub mod client;
pub mod conversation;
pub mod editable;
pub mod expense;
mod fields;
pub mod invoice;
pub mod invoicing;
pub mod lazy_messages;
mod lazy_row;
pub mod lazy_services;
pub mod lazy_table;
pub mod left_alone;
pub mod message;
pub mod offering;
pub mod other_text;
pub mod overwritten;
pub mod pattern;
pub mod pet;
pub mod report;
pub mod row;
pub mod series;
pub mod series_date;
pub mod service;
pub mod service_figures;
pub mod shared_mail;
pub mod sitter;
pub mod subscription;
mod tables;
pub mod versioned;
pub mod walk_request;
