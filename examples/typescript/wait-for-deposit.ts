// Waits until a payment to your deposit address is credited. Node 22.18 and newer run it as it is; it needs no package.
//   SERVICE_URL=https://energy.example.com API_TOKEN=… TXID=… node wait-for-deposit.ts
const { SERVICE_URL = '', API_TOKEN = '', TXID = '' } = process.env;
/** One block. A webhook (deposit.credited, see verify-webhook.ts) says it without being asked. */
const BLOCK_MS = 3_000;
const PAGE = 100;

export interface Deposit {
  readonly id: string;
  readonly txid: string | null;
  readonly asset: 'TRX' | 'USDT';
  readonly amount: number;
  /** TRX that the balance grew by; null until then. */
  readonly credited: number | null;
  readonly state: 'seen' | 'credited' | 'too_small' | 'waiting' | 'dropped';
}

const deposit = await waitForDeposit(TXID);
if (deposit.state !== 'credited') quit(`${deposit.amount} ${deposit.asset} not credited: ${deposit.state}`);
console.log(deposit.txid, 'credited', deposit.credited);

/** Once it is decided: a deposit that is dropped may come again in another block, so it counts as undecided. */
async function waitForDeposit(txid: string): Promise<Deposit> {
  for (;;) {
    const found = await findDeposit(txid);
    if (found && found.state !== 'seen' && found.state !== 'dropped') return found;
    await new Promise((resolve) => setTimeout(resolve, BLOCK_MS));
  }
}

async function findDeposit(txid: string): Promise<Deposit | null> {
  for (let before = ''; ;) {
    const page = await readPage(before);
    const found = page.find((one) => one.txid === txid);
    if (found) return found;
    if (page.length < PAGE) return null;
    before = `&before=${page.at(-1)!.id}`;
  }
}

/** A time-out, a 429 or a 5xx says nothing of the deposit: the next look does. */
async function readPage(before: string): Promise<Deposit[]> {
  for (;;) {
    const answer = await fetch(`${SERVICE_URL}/api/user/deposits?limit=${PAGE}${before}`, {
      headers: { authorization: `Bearer ${API_TOKEN}` },
      signal: AbortSignal.timeout(30_000),
    }).catch(() => null);
    if (answer?.ok) {
      const body = (await answer.json().catch(() => null)) as { data?: Deposit[] } | null;
      if (Array.isArray(body?.data)) return body.data;
    } else if (answer && answer.status < 500 && answer.status !== 429) {
      quit(`refused: ${answer.status} ${answer.headers.get('x-error-code') ?? ''}`);
    }
    const seconds = Number(answer?.headers.get('retry-after') ?? NaN);
    await new Promise((resolve) => setTimeout(resolve, seconds > 0 && seconds < 60 ? seconds * 1_000 : BLOCK_MS));
  }
}

function quit(message: string): never {
  console.error(message);
  process.exit(1);
}
