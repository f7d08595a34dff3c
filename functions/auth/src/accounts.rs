//! The account of a wallet: found, or made by its first sign-in.

use shared::{
    app::App,
    models::{
        account::{Account, AccountId, Role},
        wallet::WalletAddress,
    },
    store::{
        Key, Transaction,
        accounts::{self, Uniqueness},
        keys::List,
        lists,
    },
};

use crate::{
    error::{AuthError, outcome},
    tokens::{self, Client, Opening, TokenPair},
};

/// A wallet that has proved itself.
#[derive(Debug)]
pub(crate) struct ProvenWallet {
    pub(crate) address: WalletAddress,
    pub(crate) public_key: Option<String>,
    pub(crate) provider: Option<String>,
}

/// Attempts where another request makes or changes the account meanwhile.
const ATTEMPTS: u32 = 4;

/// Signs a wallet in: opens a session of its account, which is made if there is none.
///
/// `owner` is the account as looked up before; it is looked up again if it turns out to be wrong.
pub(crate) async fn sign_in(
    app: &App,
    wallet: ProvenWallet,
    mut owner: Option<AccountId>,
    client: Client,
) -> Result<(Account, TokenPair), AuthError> {
    for _attempt in 0..ATTEMPTS {
        match owner {
            Some(id) => {
                if let Some(mut account) = accounts::get(&app.store, id).await? {
                    let tokens = tokens::open(app, &mut account, client.clone()).await?;
                    if let Some(tokens) = tokens {
                        return Ok((account, tokens));
                    }
                }
            }
            None => {
                if let Some(made) = make(app, &wallet, client.clone()).await? {
                    return Ok(made);
                }
            }
        }
        owner = accounts::owner(&app.store, &wallet.address).await?;
    }
    Err(AuthError::Contended)
}

/// What a failed condition means: wallet or referral code are another account's.
struct Taken;

/// Makes the account and opens its first session, in one transaction; `None` where the wallet has
/// an account after all, or the referral code is another's.
async fn make(
    app: &App,
    wallet: &ProvenWallet,
    client: Client,
) -> Result<Option<(Account, TokenPair)>, AuthError> {
    let id = AccountId(app.random.id(app.clock.now()));
    let referral_code = app.random.code::<8>();
    let opening = Opening::new(app, id, Role::User, 0, client).await?;
    let (public_key, provider) = (&wallet.public_key, &wallet.provider);
    let account = |at| {
        let code = referral_code.clone();
        Account::of_wallet(id, &wallet.address, public_key.clone(), provider.clone(), code, at)
    };
    let claimed = Uniqueness { account_id: id };
    let appended = lists::append(&app.store, &[List::accounts()], |at| {
        let rows = Transaction::new(&app.store)
            .insert(&Key::account(id), &account(at), Taken)
            .insert(&Key::wallet(&wallet.address), &claimed, Taken)
            .insert(&Key::referral(&referral_code), &claimed, Taken)
            .insert(&opening.key(), &opening.session, Taken);
        (rows, id)
    })
    .await;
    match outcome(appended)? {
        Ok(at) => Ok(Some((account(at), opening.tokens))),
        Err(Taken) => Ok(None),
    }
}
