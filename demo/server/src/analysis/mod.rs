//! From stored turns to figures. Pure: values in, values out.
pub mod distribution;
pub mod measures;
pub mod proportion;
pub mod segment;
pub mod summary;
pub mod waterfall;
