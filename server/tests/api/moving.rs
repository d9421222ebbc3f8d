//! A whole SQLite database on its way to PostgreSQL: all rows, once, and none of another database between them.

use sqlx::AssertSqlSafe;
use walkies_server::db::{Db, MovedTable, ensure_moved, move_rows};

use crate::support::{TestApp, fresh_schema, postgres_url, settings};

async fn target() -> Option<Db> {
    let (options, _) = fresh_schema(&postgres_url()?).await;
    let db = Db::open_postgres(options, 4).await.unwrap();
    db.migrate().await.unwrap();
    Some(db)
}

async fn run(db: &Db, sql: &str) {
    let Db::Postgres(pool) = db else {
        unreachable!()
    };
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::query(sql).execute(pool).await.unwrap();
}

fn n_rows(tables: &[MovedTable], name: &str) -> u64 {
    tables.iter().find(|it| it.name == name).unwrap().n_rows
}

#[tokio::test]
async fn all_rows_are_moved_and_compared_and_a_move_that_broke_off_continues() {
    let Some(target) = target().await else {
        return;
    };
    let app = TestApp::sqlite(settings()).await;
    let mara = app.sitter("Mara").await;
    let file = b"Name,Email,Price of a walk,Weight,Pets\n\
        Zo\xc3\xab \xf0\x9f\x90\x95,z@example.com,30,41.3,Rex\nKim,,,,Bo\n";
    let request = axum::http::Request::post("/api/import/clients")
        .header("content-type", "application/octet-stream")
        .body(axum::body::Body::from(file.to_vec()))
        .unwrap();
    assert_eq!(mara.send(request).await.status, 201);
    app.sitter("Noor").await;

    let mut told = Vec::new();
    let moved = move_rows(&app.state.db, &target, |it| told.push(it.clone()))
        .await
        .unwrap();
    assert_eq!(moved, told);
    assert_eq!((n_rows(&moved, "sitter"), n_rows(&moved, "client")), (2, 2));
    assert_eq!(n_rows(&moved, "pet"), 2);

    // Into a database with rows nothing is moved.
    let refused = move_rows(&app.state.db, &target, |_| {}).await.unwrap_err();
    assert!(refused.to_string().contains("is not empty"), "{refused}");

    // As if it had broken off: the mark is there, and rows are missing.
    run(&target, "CREATE TABLE _walkies_move (is_moving BOOLEAN)").await;
    run(&target, "DELETE FROM pet").await;
    run(&target, "DELETE FROM user_account").await;
    let half = ensure_moved(&target).await.unwrap_err();
    assert!(
        half.to_string().contains("run `walkies move` again"),
        "{half}"
    );
    let again = move_rows(&app.state.db, &target, |_| {}).await.unwrap();
    assert_eq!(again, moved);
    ensure_moved(&target).await.unwrap();
    ensure_moved(&app.state.db).await.unwrap();

    // A row that differs is noticed.
    run(&target, "CREATE TABLE _walkies_move (is_moving BOOLEAN)").await;
    run(&target, "UPDATE pet SET name = 'Max'").await;
    let refused = move_rows(&app.state.db, &target, |_| {}).await.unwrap_err();
    assert!(
        refused.to_string().contains("the rows of `pet` differ"),
        "{refused}"
    );

    // Nor is anything moved the other way.
    assert!(move_rows(&target, &app.state.db, |_| {}).await.is_err());
}
