import { join } from 'node:path';
import { DepositWorld, TRX, type Customer } from '../deposits/deposit-world';
import { LossyLine } from '../support/lossy-line';
import { type ProgramResult, runProgram } from '../support/program';

const PROGRAM = join(__dirname, '..', '..', 'examples', 'typescript', 'wait-for-deposit.ts');

describe('examples/typescript/wait-for-deposit.ts', () => {
  let deposits: DepositWorld;
  let line: LossyLine;
  let serviceUrl: string;
  let customer: Customer;
  beforeAll(async () => {
    deposits = await DepositWorld.open();
    line = new LossyLine(deposits.world.app.url);
    serviceUrl = await line.open();
    customer = await deposits.customer();
  });
  afterAll(async () => {
    await line.close();
    await deposits.close();
  });

  const wait = (txid: string, token = customer.token): Promise<ProgramResult> =>
    runProgram([process.execPath, PROGRAM], {
      env: { SERVICE_URL: serviceUrl, API_TOKEN: token, TXID: txid },
    });

  it('waits from before the first block that has it until it is credited, through answers of a gateway', async () => {
    const txid = await deposits.payTrx(customer.address, 5 * TRX);
    const waiting = wait(txid);
    await deposits.mine();
    await deposits.untilSeen(txid);
    line.insteadOfLooks = { status: 504, headers: { 'retry-after': '0' }, body: '<html>504 Gateway Time-out</html>' };
    await deposits.settle();
    line.insteadOfLooks = undefined;
    expect(await waiting).toEqual({ code: 0, stdout: `${txid} credited 5\n`, stderr: expect.any(String) as string });
    expect(await deposits.balanceSun(customer)).toBe(5_000_000n);
  });

  it('ends with what it is where it is not credited, and with a refusal at once', async () => {
    const txid = await deposits.payTrx(customer.address, TRX - 1);
    await deposits.settle();
    const small = await wait(txid);
    expect([small.code, small.stderr]).toEqual([1, expect.stringContaining('0.999999 TRX not credited: too_small')]);
    const refused = await wait(txid, 'eds_wrong');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('refused: 401')]);
  });
});
