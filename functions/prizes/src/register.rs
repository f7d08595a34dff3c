//! `POST /api/prizes`.

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use shared::{
    http::{
        Admin, AsProblem, Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input,
        Problem, Result,
    },
    keys,
    models::bitcoin::{InscriptionId, OutPoint},
    ord::Output,
};
use store::{Entity, Writes, lists};
use utoipa::ToSchema;

use crate::{
    app::App,
    prize::{Prize, PrizeName, PrizeNumber},
};

/// A prize to register.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RegisterPrize {
    /// Number of the prize, 1 to 100, unique.
    prize_number: PrizeNumber,
    /// Name of the prize.
    name: PrizeName,
    /// Id of the inscription, unique.
    inscription_id: InscriptionId,
    /// The treasury's output that holds the inscription, `<txid>:<vout>`, unique.
    controlling_utxo: OutPoint,
}

impl Input for RegisterPrize {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let prize_number = fields.required("prizeNumber");
        let name = fields.required("name");
        let inscription_id = fields.required("inscriptionId");
        let controlling_utxo = fields.required("controllingUtxo");
        Some(Self {
            prize_number: prize_number?,
            name: name?,
            inscription_id: inscription_id?,
            controlling_utxo: controlling_utxo?,
        })
    }
}

/// Why a prize is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrizeError {
    /// Another prize has this number.
    #[error("Another prize has this number.")]
    NumberTaken,
    /// The inscription is already registered.
    #[error("This inscription is already registered as a prize.")]
    InscriptionTaken,
    /// Another prize has this output.
    #[error("Another prize is registered with this output.")]
    UtxoTaken,
    /// The chain does not know the output.
    #[error("The output does not exist on the chain.")]
    UtxoNotFound,
    /// The output is spent.
    #[error("The output is already spent.")]
    UtxoSpent,
    /// ord does not know the output's contents yet.
    #[error("The output is not confirmed or not indexed yet. Try again after the next block.")]
    UtxoNotIndexed,
    /// The inscription is in another output.
    #[error("The output does not hold the inscription.")]
    InscriptionElsewhere,
    /// The output pays another address.
    #[error("The output does not pay the treasury.")]
    NotInTreasury,
}

impl AsProblem for PrizeError {
    fn problem(&self) -> Problem {
        match self {
            Self::NumberTaken => Problem::PrizeNumberTaken,
            Self::InscriptionTaken => Problem::PrizeInscriptionTaken,
            Self::UtxoTaken => Problem::PrizeUtxoTaken,
            Self::UtxoNotFound | Self::UtxoSpent | Self::UtxoNotIndexed => {
                Problem::PrizeUtxoUnusable
            }
            Self::InscriptionElsewhere => Problem::PrizeInscriptionElsewhere,
            Self::NotInTreasury => Problem::PrizeNotInTreasury,
        }
    }
}

/// Registers a prize that the treasury holds. Admins only.
///
/// On the chain, the output must be unspent, hold the inscription, and pay the treasury.
#[utoipa::path(
    post,
    path = "/api/prizes",
    tag = "prizes",
    security(("bearer" = [])),
    params(IdempotencyHeader),
    request_body = RegisterPrize,
    responses((status = 201, description = "The prize", body = Envelope<Prize>))
)]
pub async fn register_prize(
    State(app): State<App>,
    admin: Admin,
    request: Idempotent<RegisterPrize>,
) -> Result<Response> {
    request
        .once(&app, admin.account.id, async |prize| register(&app, prize).await.map(Created))
        .await
}

async fn register(app: &App, prize: RegisterPrize) -> Result<Prize, Error> {
    let output = app.ord.output(prize.controlling_utxo).await?;
    prize.check(output.as_ref(), &app.treasury.address.script_pubkey())?;
    let (number, inscription, utxo) =
        (prize.prize_number, prize.inscription_id, prize.controlling_utxo);
    let taken = PrizeUniqueness { prize_number: number };
    let made = |created_at| Prize {
        id: number.to_string(),
        prize_number: number,
        name: prize.name.clone(),
        inscription_id: inscription,
        controlling_utxo: utxo,
        created_at,
    };
    let created_at = lists::append(&app.store, &[keys::lists::prizes()], |at| {
        let claims = Writes::new()
            .insert(&keys::prize(number.get()), &taken, PrizeError::NumberTaken)
            .insert(&keys::prize_inscription(inscription), &taken, PrizeError::InscriptionTaken)
            .insert(&keys::prize_utxo(utxo), &taken, PrizeError::UtxoTaken);
        (claims, made(at))
    })
    .await
    .map_err(Error::from)?;
    Ok(made(created_at))
}

/// A uniqueness record: a value that only one prize may have, and the prize that has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PrizeUniqueness {
    prize_number: PrizeNumber,
}

impl Entity for PrizeUniqueness {
    const ENTITY: &'static str = "prizeUniqueness";
}

impl RegisterPrize {
    /// Checks the prize against what the chain says about its output.
    fn check(&self, output: Option<&Output>, treasury: &bitcoin::Script) -> Result<(), PrizeError> {
        let output = output.ok_or(PrizeError::UtxoNotFound)?;
        let inscriptions = output.inscriptions.as_ref().filter(|_| output.indexed);
        if output.spent {
            Err(PrizeError::UtxoSpent)
        } else if output.script_pubkey != *treasury {
            Err(PrizeError::NotInTreasury)
        } else if !inscriptions.ok_or(PrizeError::UtxoNotIndexed)?.contains(&self.inscription_id) {
            Err(PrizeError::InscriptionElsewhere)
        } else {
            Ok(())
        }
    }
}
