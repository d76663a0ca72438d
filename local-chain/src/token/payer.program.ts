import { createHash } from 'node:crypto';
import { newAccount } from '../state/account.model';
import { keys, type WorldState } from '../state/world.state';
import { addressOf, argument, listAt, numberOf, selectorIn, selectorOf } from './call.words';
import { type ContractCall, type ContractProgram, type InternalCall, type Outcome, REVERTED } from './contract.program';
import { param } from './token.abi';
import { OTHER_TOKEN, USDT } from './token.model';
import { spendOutcome, type TokenMove } from './token.program';

/** A contract that pays many in one call, as exchanges and multisend services have them. */
export const PAYER_ADDRESS = `41${createHash('sha256').update('a contract that pays many').digest('hex').slice(24)}`;
export const PAY_TRX = 'payTrx(address[],uint256[])';
export const PAY_TOKEN = 'payToken(address,address[],uint256[])';

/** These are of the right size, and measured nowhere. */
const TRX_PAYMENT_ENERGY = 9_700n;
const NEW_ACCOUNT_ENERGY = 25_000n;

export const payerState = (): Map<string, unknown> =>
  new Map<string, unknown>([[keys.account(PAYER_ADDRESS), newAccount(PAYER_ADDRESS, 0, 2)]]);

type Payment = Pick<TokenMove, 'to' | 'amount'>;

function paymentsAt(data: Buffer, index: number): Payment[] | null {
  const [addresses, amounts] = [listAt(data, index), listAt(data, index + 1)];
  if (!addresses || !amounts || addresses.length !== amounts.length) return null;
  return addresses.map((address, at) => ({ to: addressOf(address), amount: numberOf(amounts[at]!) }));
}

/** What comes with the call and is not paid out stays with the contract. */
function payTrx(world: WorldState, { caller, data, callValueSun }: ContractCall): Outcome {
  const payments = paymentsAt(data, 0);
  const paidSun = (payments ?? []).reduce((sum, { amount }) => sum + amount, 0n);
  if (!payments || paidSun > callValueSun) return REVERTED;
  const added = new Set(payments.map(({ to }) => to).filter((to) => !world.findAccount(to)));
  return {
    energy: TRX_PAYMENT_ENERGY * BigInt(payments.length) + NEW_ACCOUNT_ENERGY * BigInt(added.size),
    output: Buffer.alloc(0),
    internal: payments.map(({ to, amount }): InternalCall => ({ caller: PAYER_ADDRESS, to, valueSun: amount })),
    apply(changed) {
      changed.editAccount(caller).balanceSun -= callValueSun;
      changed.editAccount(PAYER_ADDRESS).balanceSun += callValueSun - paidSun;
      for (const { to, amount } of payments) {
        if (!changed.findAccount(to)) changed.putAccount(newAccount(to, changed.now));
        changed.editAccount(to).balanceSun += amount;
      }
    },
  };
}

/** Pays the caller's tokens, as far as the caller has allowed it. */
function payToken(world: WorldState, { caller, data, callValueSun }: ContractCall): Outcome {
  const token = [USDT, OTHER_TOKEN].find(({ address }) => address === addressOf(argument(data, 0)));
  const payments = paymentsAt(data, 1);
  if (!token || !payments || callValueSun > 0n) return REVERTED;
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const whole = spendOutcome(world, token, PAYER_ADDRESS, { from: caller, to: PAYER_ADDRESS, amount: total });
  if (whole.reverted) return REVERTED;
  const moves = payments.map((payment) => ({ from: caller, ...payment }));
  const single = moves.map((move) => spendOutcome(world, token, PAYER_ADDRESS, move));
  return {
    energy: single.reduce((sum, { energy }) => sum + energy, 0n),
    output: Buffer.alloc(0),
    logs: single.flatMap(({ logs }) => logs!),
    internal: moves.map((): InternalCall => ({ caller: PAYER_ADDRESS, to: token.address, valueSun: 0n })),
    apply(changed) {
      for (const one of single) one.apply!(changed);
    },
  };
}

const METHODS = new Map([
  [selectorOf(PAY_TRX), payTrx],
  [selectorOf(PAY_TOKEN), payToken],
]);

const payable = (signature: string, stateMutability: string) => ({
  name: signature.slice(0, signature.indexOf('(')),
  inputs: signature
    .slice(signature.indexOf('(') + 1, -1)
    .split(',')
    .map((type) => param(type)),
  type: 'Function',
  stateMutability,
});

export const PAYER_PROGRAM: ContractProgram = {
  address: PAYER_ADDRESS,
  name: 'Payer',
  abi: [payable(PAY_TRX, 'Payable'), payable(PAY_TOKEN, 'Nonpayable')],
  readings: new Set(),
  run: (world, call) => METHODS.get(selectorIn(call.data))?.(world, call) ?? REVERTED,
};
