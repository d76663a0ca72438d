import { limitOf } from '../resources/resource.limit';
import { increase, plainIncrease, recovered } from '../resources/usage.window';
import { encodeBase58 } from '../signing/address.codec';
import { stakeSun, type Account } from '../state/account.model';
import type { WorldState } from '../state/world.state';
import { PARAMETERS } from './chain.parameters';
import { ContractValidateError, TransactionRefusedError, insufficientResource } from './transaction.errors';
import type { ChainTransaction } from './transaction.model';

export interface NetBill {
  netUsed: bigint;
  netFeeSun: bigint;
}

const createsAccount = (world: WorldState, tx: ChainTransaction): boolean => {
  const type = tx.raw.contract[0]!.type;
  if (type === 0) return true;
  const to = (tx.message as { to_address?: Buffer } | undefined)?.to_address;
  return type === 1 && to !== undefined && !world.findAccount(to.toString('hex'));
};

function useStakedNet(world: WorldState, account: Account, bytes: bigint): boolean {
  const limit = limitOf(stakeSun(account.net), world.network, 'net');
  if (bytes > limit - recovered(account.net, world.slot)) return false;
  increase(account.net, bytes, world.slot);
  account.net.slot = world.slot;
  account.latestOperationAt = world.now;
  return true;
}

function useFreeNet(world: WorldState, account: Account, bytes: bigint): boolean {
  const { slot } = world;
  const own = plainIncrease(account.freeNet.used, 0n, account.freeNet.slot, slot);
  if (bytes > world.parameters.freeNetLimit - own) return false;
  const { publicNet } = world.network;
  const all = plainIncrease(publicNet.used, 0n, publicNet.slot, slot);
  if (bytes > PARAMETERS.publicNetLimit - all) return false;
  account.freeNet = { used: plainIncrease(own, bytes, slot, slot), slot };
  account.latestOperationAt = world.now;
  world.editNetwork().publicNet = { used: plainIncrease(all, bytes, slot, slot), slot };
  return true;
}

function burnFee(world: WorldState, account: Account, feeSun: bigint): void {
  if (account.balanceSun < feeSun) throw insufficientResource();
  account.balanceSun -= feeSun;
  account.latestOperationAt = world.now;
  world.editNetwork().burnedSun += feeSun;
}

function chargeCreation(world: WorldState, account: Account, tx: ChainTransaction, bytes: bigint): NetBill {
  const unsigned = tx.bytes.length - tx.signed.signature.length * 65;
  if (unsigned > world.parameters.createAccountMaxBytes)
    throw new TransactionRefusedError(
      'TOO_BIG_TRANSACTION_ERROR',
      `Too big new account transaction, TxId ${tx.id}, the size is ${unsigned} bytes, maxTxSize ${world.parameters.createAccountMaxBytes}`,
    );
  const cost = bytes * world.parameters.createAccountNetRate;
  if (useStakedNet(world, account, cost)) return { netUsed: cost, netFeeSun: 0n };
  burnFee(world, account, world.parameters.createAccountFeeSun);
  return { netUsed: 0n, netFeeSun: world.parameters.createAccountFeeSun };
}

/** Bandwidth: staked, then the day's free share, then burned TRX. An activation may not use the free share. */
export function chargeNet(world: WorldState, tx: ChainTransaction): NetBill {
  const bytes = BigInt(tx.bytes.length + PARAMETERS.resultBytes);
  if (!world.findAccount(tx.owner))
    throw new ContractValidateError(`account [${encodeBase58(Buffer.from(tx.owner, 'hex'))}] does not exist`);
  const account = world.editAccount(tx.owner);
  if (createsAccount(world, tx)) return chargeCreation(world, account, tx, bytes);
  if (useStakedNet(world, account, bytes)) return { netUsed: bytes, netFeeSun: 0n };
  if (useFreeNet(world, account, bytes)) return { netUsed: bytes, netFeeSun: 0n };
  const feeSun = bytes * world.parameters.netFeeSun;
  burnFee(world, account, feeSun);
  return { netUsed: 0n, netFeeSun: feeSun };
}

/** What more than one signature and a memo cost. */
export function chargeExtras(world: WorldState, tx: ChainTransaction): bigint {
  const multiSign = tx.signed.signature.length > 1 ? world.parameters.multiSignFeeSun : 0n;
  const memo = tx.raw.data.length > 0 ? world.parameters.memoFeeSun : 0n;
  for (const feeSun of [multiSign, memo]) {
    const account = world.editAccount(tx.owner);
    if (account.balanceSun < feeSun) throw insufficientResource();
    account.balanceSun -= feeSun;
    world.editNetwork().burnedSun += feeSun;
  }
  return multiSign + memo;
}
