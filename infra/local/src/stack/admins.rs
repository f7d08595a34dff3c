//! Admins of a world.

use shared::models::account::Role;

use super::local_stack::LocalStack;
use crate::{
    base::{client::Client, failure::Result},
    users::wallets::{SignedIn, admin_wallet, try_sign_in},
};

/// Signs in to an account and makes it an admin.
///
/// # Panics
/// The service refuses.
pub async fn admin(stack: &LocalStack, client: &Client) -> SignedIn {
    try_admin(stack, client).await.unwrap_or_else(|failure| panic!("{failure}"))
}

/// Signs in to an account and makes it an admin.
pub async fn try_admin(stack: &LocalStack, client: &Client) -> Result<SignedIn> {
    let wallet = admin_wallet();
    let account = try_sign_in(client, &wallet).await?.account;
    stack.try_set_role(&account, Role::Admin).await?;
    try_sign_in(client, &wallet).await
}
