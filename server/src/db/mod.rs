//! Owns the two databases behind one calling convention: every function in here takes `&mut Tx` first.
//! It decides nothing; rules live in the core, and answers in the calls.

mod engine;
mod queries;

pub use engine::{
    Abandon, Arg, Column, Db, DbRow, MovedTable, ROWS_AT_ONCE, Tx, TxConnection, WriterQueue,
    ensure_moved, fault, move_rows, roll_back,
};
pub use queries::*;
