//! `POST /api/prizes`.

use axum::{extract::State, response::Response};
use serde::{Deserialize, Serialize};
use shared::{
    app::App,
    bitcoin::ord::Output,
    http::{
        Admin, AreaError, Created, Envelope, Error, Fields, IdempotencyHeader, Idempotent, Input,
        Problem, Result,
    },
    models::{
        bitcoin::{InscriptionId, OutPoint},
        prize::{Prize, PrizeName, PrizeNumber},
    },
    store::{Entity, Key, Writes, keys::List, lists},
};
use utoipa::ToSchema;

/// A prize to be registered.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RegisterPrize {
    /// 1 to 100, unique.
    prize_number: PrizeNumber,
    /// What it is called.
    name: PrizeName,
    /// The inscription, unique.
    inscription_id: InscriptionId,
    /// The treasury's output that holds the inscription, unique.
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

/// Why a prize is not registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrizeError {
    /// The number is taken.
    #[error("The prize number is taken.")]
    NumberTaken,
    /// The inscription is a prize already.
    #[error("The inscription is a prize already.")]
    InscriptionTaken,
    /// The output holds another prize.
    #[error("The output holds another prize.")]
    UtxoTaken,
    /// The chain knows no such output.
    #[error("There is no such output.")]
    UtxoNotFound,
    /// The output is spent.
    #[error("The output is spent.")]
    UtxoSpent,
    /// The output's contents are not known yet.
    #[error("The output is not confirmed, or not indexed yet.")]
    UtxoNotIndexed,
    /// The inscription is somewhere else.
    #[error("The output does not hold the inscription.")]
    InscriptionElsewhere,
    /// The output is not the treasury's.
    #[error("The output does not pay the treasury.")]
    NotInTreasury,
}

impl AreaError for PrizeError {
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
/// The chain must say that the output is unspent, holds the inscription, and pays the treasury.
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
    prize.check(output.as_ref(), &app.config.treasury.script_pubkey())?;
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
    let created_at = lists::append(&app.store, &[List::prizes()], |at| {
        let claims = Writes::new()
            .insert(&Key::prize(number), &taken, PrizeError::NumberTaken)
            .insert(&Key::prize_inscription(inscription), &taken, PrizeError::InscriptionTaken)
            .insert(&Key::prize_utxo(utxo), &taken, PrizeError::UtxoTaken);
        (claims, made(at))
    })
    .await
    .map_err(Error::from)?;
    Ok(made(created_at))
}

/// A uniqueness record: what one prize alone can have, and which one has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PrizeUniqueness {
    prize_number: PrizeNumber,
}

impl Entity for PrizeUniqueness {
    const ENTITY: &'static str = "prizeUniqueness";
}

impl RegisterPrize {
    /// Whether the chain agrees with what is claimed.
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
