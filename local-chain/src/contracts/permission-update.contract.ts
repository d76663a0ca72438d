import { PARAMETERS } from '../chain/chain.parameters';
import { TransactionRefusedError } from '../chain/transaction.errors';
import {
  PERMISSION_TYPE,
  PERMISSION_UPDATE,
  type PermissionMessage,
  type PermissionUpdateMessage,
} from '../protobuf/contract.schema';
import { isAddress } from '../signing/address.codec';
import type { Permission } from '../state/account.model';
import { addExact, burn, hexOf, refuse, type ContractRule } from './contract.rule';

/** Operations that may be granted: those of a new account and the permission update itself. */
const AVAILABLE = Buffer.from('7fff1fc0037ec30f'.padEnd(64, '0'), 'hex');
const hasBit = (bytes: Buffer, bit: number): boolean => (bytes[bit >> 3]! & (1 << (bit & 7))) !== 0;

function checkKeys(permission: PermissionMessage, type: string): void {
  if (new Set(permission.keys.map((key) => hexOf(key.address))).size !== permission.keys.length)
    refuse(`address should be distinct in permission ${type}`);
  let weights = 0n;
  for (const key of permission.keys) {
    if (!isAddress(key.address)) refuse('key is not a validate address');
    if (key.weight <= 0n) refuse("key's weight should be greater than 0");
    weights = addExact(weights, key.weight);
  }
  if (weights < permission.threshold)
    refuse(`sum of all key's weight should not be less than threshold in permission ${type}`);
}

function checkOperations(operations: Buffer): void {
  if (operations.length !== 32) refuse('operations size must 32');
  for (let bit = 0; bit < 256; bit++)
    if (hasBit(operations, bit) && !hasBit(AVAILABLE, bit)) refuse(`${bit} isn't a validate ContractType`);
}

function checkPermission(permission: PermissionMessage): void {
  const type = PERMISSION_TYPE.findName(permission.type)!;
  if (permission.keys.length > PARAMETERS.totalSignatures)
    refuse(`number of keys in permission should not be greater than ${PARAMETERS.totalSignatures}`);
  if (permission.keys.length === 0) refuse("key's count should be greater than 0");
  if (permission.threshold <= 0n) refuse("permission's threshold should be greater than 0");
  if (permission.permission_name.length > 32) refuse("permission's name is too long");
  if (permission.parent_id !== 0) refuse("permission's parent should be owner");
  checkKeys(permission, type);
  if (permission.type === 2) checkOperations(permission.operations);
  else if (permission.operations.length > 0) refuse(`${type} permission needn't operations`);
}

const kept = (message: PermissionMessage, id: number): Permission => ({
  type: message.type,
  id,
  name: message.permission_name,
  threshold: message.threshold,
  operations: hexOf(message.operations),
  keys: message.keys.map((key) => ({ address: hexOf(key.address), weight: key.weight })),
});

export const permissionUpdateContract: ContractRule<PermissionUpdateMessage> = {
  type: 46,
  schema: PERMISSION_UPDATE,
  validate(world, message) {
    if (!isAddress(message.owner_address)) refuse('invalidate ownerAddress');
    if (!world.findAccount(hexOf(message.owner_address))) refuse('ownerAddress account does not exist');
    const owner = message.owner ?? refuse('owner permission is missed');
    if (message.witness) refuse("account isn't witness can't set witness permission");
    if (message.actives.length === 0) refuse('active permission is missed');
    if (message.actives.length > 8) refuse('active permission is too many');
    if (owner.type !== 0) refuse('owner permission type is error');
    checkPermission(owner);
    for (const active of message.actives) {
      if (active.type !== 2) refuse('active permission type is error');
      checkPermission(active);
    }
  },
  execute(world, message) {
    const feeSun = world.parameters.permissionUpdateFeeSun;
    const account = world.editAccount(hexOf(message.owner_address));
    if (account.balanceSun < feeSun)
      throw new TransactionRefusedError(
        'CONTRACT_EXE_ERROR',
        `Contract execute error : ${account.address} insufficient balance, balance: ${account.balanceSun}, amount: ${feeSun}`,
      );
    account.owner = kept(message.owner!, 0);
    account.actives = message.actives.map((active, i) => kept(active, 2 + i));
    burn(world, account.address, feeSun);
    return { feeSun };
  },
};
