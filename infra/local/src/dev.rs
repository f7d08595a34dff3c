//! The development server.

use std::{
    env,
    fmt::Write as _,
    io::{self, ErrorKind, Write as _},
    net::Ipv4Addr,
    path::PathBuf,
    sync::Arc,
};

use tokio::{net::TcpListener, process::Command, task::JoinHandle};

use crate::{
    aws::ministack::{self, Ministack},
    base::{
        client::Client,
        failure::{Context, Failure, Result},
        process::{self, Stop},
        server::Server,
        workspace,
    },
    bitcoin::{State, programs::Programs},
    doubles::evm::Evm,
    front_page::{self, Place},
    functions, levers, playground, seeds,
    stack::LocalStack,
    users::wallets::{SignedIn, admin_wallet, try_sign_in},
};

/// What the announcement contains in addition to the parts of the world.
struct Announced {
    url: String,
    places: Vec<Place>,
    admin: SignedIn,
}

/// Serves everything on a loopback port until Ctrl-C or SIGTERM.
///
/// # Errors
/// Something does not start; one line says what.
pub async fn serve(port: u16, data: Option<PathBuf>) -> Result<()> {
    let mut stop = Stop::listen()?;
    let listener = listen(port).await?;
    let started = tokio::select! {
        started = start(listener, data) => started?,
        () = stop.wait() => return Ok(()),
    };
    let (world, server, admin) = started;
    let url = server.url().to_owned();
    let workers = world.workers();
    let client = world.client(&url);
    let announced = Announced { places: front_page::places(&url), url, admin };
    let bitcoin = spawn_bitcoin(&world, client, announced);
    stop.wait().await;
    end_bitcoin(bitcoin).await;
    drop(workers);
    end(&world).await
}

/// Starts the Bitcoin world in the background while everything else is already served, and then prints the
/// announcement again: log lines of the start would push it out of sight.
fn spawn_bitcoin(world: &Arc<LocalStack>, client: Client, announced: Announced) -> JoinHandle<()> {
    let world = world.clone();
    tokio::spawn(async move {
        let said = match bring_bitcoin_up(&world, &client, &announced).await {
            Ok(height) => format!("The Bitcoin world is ready at block {height}.\n"),
            Err(failure) => {
                if let Some(bitcoin) = world.try_bitcoin() {
                    bitcoin.set_state(State::Failed(failure.to_string()));
                }
                format!("The Bitcoin world did not start: {failure}\n")
            }
        };
        // Building the programs takes longer than the first token is valid.
        let admin = try_sign_in(&client, &admin_wallet()).await;
        let admin = admin.unwrap_or_else(|_| announced.admin.clone());
        let announced = Announced { admin, ..announced };
        // Stdout may be closed; that is not an error here.
        let _ = print(&format!("{said}{}", announcement(&world, &announced)));
    })
}

/// Stops the start if it is still in progress, with every process it has started.
async fn end_bitcoin(task: JoinHandle<()>) {
    task.abort();
    // Waits until the task is dropped; its outcome no longer matters.
    let _ = task.await;
}

async fn bring_bitcoin_up(
    world: &LocalStack,
    client: &Client,
    announced: &Announced,
) -> Result<u32> {
    let bitcoin = world.try_bitcoin().context("a world without a Bitcoin node")?;
    let programs = match Programs::find()? {
        Some(programs) => programs,
        None => {
            // Stdout may be closed, here and below.
            let _ = print(&announcement(world, announced));
            let _ = print(
                "Building the Bitcoin programs, which happens once; until then Esplora and ord answer 503.\n",
            );
            Programs::build(|line| {
                let _ = print(&format!("{line}\n"));
            })
            .await?
        }
    };
    world.bring_bitcoin_up(&programs).await?;
    seeds::plant_prizes(world, client).await?;
    seeds::plant_mint(world, client).await?;
    bitcoin.set_state(State::Ready);
    bitcoin.height().await.context("bitcoin")
}

async fn start(
    listener: TcpListener,
    data: Option<PathBuf>,
) -> Result<(Arc<LocalStack>, Server, SignedIn)> {
    let port = listener.local_addr().context("port")?.port();
    let world = Arc::new(world(data, port, true).await?);
    let router = levers::router(world.clone())
        .merge(front_page::router(world.clone(), &format!("http://127.0.0.1:{port}")))
        .merge(playground::router())
        .merge(world.sockets().clone().router())
        .fallback_service(world.service(functions::routes()));
    let server = Server::on(listener, router)?;
    let admin = seeds::plant(&world, &world.client(server.url())).await?;
    Ok((world, server, admin))
}

/// Serves the real Lambda binaries until Ctrl-C or SIGTERM.
///
/// # Errors
/// A part does not start; one line says which.
pub async fn watch(port: u16) -> Result<u8> {
    let mut stop = Stop::listen()?;
    // cargo lambda reports a taken port late and among much other output, so check it first.
    let port = listen(port).await?.local_addr().context("port")?.port();
    let world = tokio::select! {
        world = world(None, port, false) => Arc::new(world?),
        () = stop.wait() => return Ok(0),
    };
    let workers = world.workers();
    let seeding = world.try_serve(functions::routes()).await?;
    let admin = seeds::plant(&world, &seeding).await?;
    let url = format!("http://127.0.0.1:{port}");
    print("Functions are compiled at their first request, and when a file changes.\n")?;
    let announced = Announced { places: Vec::new(), url, admin };
    let bitcoin = spawn_bitcoin(&world, seeding, announced);
    let mut command = Command::new("cargo");
    command
        .args(["lambda", "watch", "--disable-cors", "--invoke-address", "127.0.0.1"])
        .args(["--invoke-port", &port.to_string()])
        .envs(world.settings())
        .envs(env::var("RUST_LOG").map(|wanted| ("RUST_LOG", wanted)))
        .current_dir(workspace::root());
    let ended = process::run_until(&mut command, &mut stop).await;
    end_bitcoin(bitcoin).await;
    drop(workers);
    end(&world).await?;
    Ok(ended?.unwrap_or(0))
}

/// Runs a command with one ministack that all its tests share; returns its exit code.
///
/// # Errors
/// ministack or the command does not start.
pub async fn with_services(program: &str, arguments: &[String]) -> Result<u8> {
    let ministack = Ministack::shared().await?;
    let code =
        process::run(Command::new(program).args(arguments).env(ministack::SHARED, ministack.url()))
            .await;
    ministack.stop();
    code
}

async fn world(data: Option<PathBuf>, port: u16, serves_pages: bool) -> Result<LocalStack> {
    let builder = LocalStack::builder().bitcoin_later().pages_at(port).stores_addresses().traces();
    let builder = if serves_pages { builder.serves_pages() } else { builder };
    let builder = if Evm::program().is_some() { builder.evm() } else { builder };
    match data {
        None => builder,
        Some(folder) => builder.data_dir(folder),
    }
    .try_build()
    .await
}

async fn end(world: &LocalStack) -> Result<()> {
    let saved = world.save().await;
    world.stop();
    saved
}

async fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => {
            Failure::new(format!("port {port} is taken: choose another, such as PORT=9100"))
        }
        _ => Failure::new(format!("port {port}: {error}")),
    })
}

/// Prints to stdout.
///
/// # Errors
/// Stdout is closed.
pub fn print(text: &str) -> Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).context("standard output")
}

/// Addresses of everything, and three calls to begin with.
fn announcement(world: &LocalStack, announced: &Announced) -> String {
    let Announced { url, places, admin } = announced;
    let mut text = format!("\nRuneport is at {url}\n\n");
    let mut line = |name: &str, value: &str| {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {name:<38}{value}");
    };
    for place in places {
        line(place.name, &place.url);
    }
    for (name, address) in world.addresses() {
        line(name, address);
    }
    if let Some(folder) = world.data() {
        line("data", &folder.display().to_string());
    }
    line("demo admin", admin_wallet().address());
    let bearer = format!("-H 'Authorization: Bearer {}'", admin.access_token);
    let list =
        format!("{url}/api/prizes?page=2&pageSize=5&sort=-prizeNumber&select=name,prizeNumber");
    let _ = write!(
        text,
        "\nThree calls to begin with; the demo admin's token is valid for 10 minutes:\n\n\
         curl -s {url}/api/health\n\n\
         curl -s {url}/api/account/me {bearer}\n\n\
         curl -s '{list}' {bearer}\n\n\
         Ctrl-C stops everything.\n\n"
    );
    text
}
