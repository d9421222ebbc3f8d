//! What happens to a whole server process: it is killed, its disk fills up.

mod disk_full;
mod kill;
mod phone;
mod server;
