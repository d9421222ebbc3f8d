//! Owns the program that stands in for Stripe where browsers are tested: it says where it listens, and ends with who has
//! started it.

#[path = "../tests/support/stripe/mod.rs"]
#[expect(dead_code, reason = "tests of the server drive it from within")]
mod stripe;

use std::io::Read as _;
use std::sync::Arc;

use walkies_server::base::env::SystemClock;

#[tokio::main]
async fn main() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let listener = stripe::Stripe::listener().await;
    let stripe = stripe::Stripe::start(listener, Arc::new(SystemClock));
    println!("Stripe's stand-in listens on {}", stripe.origin);
    // Nobody writes to it.
    let _ = tokio::task::spawn_blocking(|| std::io::stdin().read(&mut [0])).await;
}
