//! The one shape of an error answer, and the query that answers in it.
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Json, Response};
use serde::de::DeserializeOwned;
use serde_json::json;

#[derive(Debug)]
pub struct Problem {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
    /// JSON pointer to what is wrong in the body.
    pub path: Option<String>,
}

impl Problem {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), path: None }
    }

    pub fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "request", message)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut error = json!({"code": self.code, "message": self.message});
        if let Some(path) = self.path {
            error["path"] = path.into();
        }
        (self.status, Json(json!({"error": error}))).into_response()
    }
}

/// A query whose error is a problem like all others.
#[derive(Debug)]
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(it)| Self(it))
            .map_err(|error: QueryRejection| Problem::unprocessable(error.body_text()))
    }
}

/// Something of ours failed: told to the operator, not to the page.
impl From<rusqlite::Error> for Problem {
    fn from(error: rusqlite::Error) -> Self {
        eprintln!("demo-server: {error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "store", "the data could not be read or written")
    }
}

impl From<tokio::task::JoinError> for Problem {
    fn from(error: tokio::task::JoinError) -> Self {
        eprintln!("demo-server: {error}");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the request could not be finished")
    }
}
