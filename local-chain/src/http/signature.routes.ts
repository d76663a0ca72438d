import { PARAMETERS } from '../chain/chain.parameters';
import {
  PermissionError,
  SignatureFormatError,
  SignatureMathError,
  allowsOperation,
  checkWeight,
  signerOf,
} from '../chain/signature.check';
import type { ChainTransaction } from '../chain/transaction.model';
import type { JsonObject } from '../protobuf/json.printer';
import { findPermission, type Permission } from '../state/account.model';
import { printPermission, shownAddress } from './account.printer';
import { transactionOfBody } from './broadcast.routes';
import { nullPointer, type Route, type RouteRequest } from './route.model';
import { printTransaction } from './transaction.printer';

const NO_CONTRACT = 'Invalid transaction: no valid contract';

const NO_ACCOUNT = 'class org.tron.core.exception.PermissionException : Account does not exist!';

const wrapped = (request: RouteRequest, tx: ChainTransaction): JsonObject => ({
  transaction: {
    result: { result: true },
    txid: tx.id,
    transaction: printTransaction(tx, { visible: request.visible, ret: undefined }),
  },
});

const codeOf = (error: unknown): string => {
  if (error instanceof PermissionError) return 'PERMISSION_ERROR';
  if (error instanceof SignatureFormatError) return 'SIGNATURE_FORMAT_ERROR';
  return error instanceof SignatureMathError ? 'COMPUTE_ADDRESS_ERROR' : 'OTHER_ERROR';
};

function permissionOf(request: RouteRequest, tx: ChainTransaction): Permission {
  const account = request.view.world.findAccount(tx.owner);
  if (!account) throw new PermissionError('Account does not exist!');
  const permission = findPermission(account, tx.permissionId);
  if (!permission) throw new PermissionError('Permission for this, does not exist!');
  if (tx.permissionId === 0) return permission;
  if (permission.type !== 2) throw new PermissionError('Permission type is wrong!');
  if (!allowsOperation(permission, tx.raw.contract[0]!.type)) throw new PermissionError('Permission denied!');
  return permission;
}

function signWeight(request: RouteRequest): JsonObject {
  const tx = transactionOfBody(request);
  if (tx.signed.signature.length > PARAMETERS.totalSignatures) throw nullPointer();
  const answer: JsonObject = wrapped(request, tx);
  if (tx.raw.contract.length === 0) return { result: { code: 'OTHER_ERROR', message: NO_CONTRACT }, ...answer };
  try {
    const permission = permissionOf(request, tx);
    answer['permission'] = printPermission(permission, request.visible);
    const { weight, approved } = checkWeight(tx, permission);
    if (approved.length > 0)
      answer['approved_list'] = approved.map((address) => shownAddress(address, request.visible));
    if (weight > 0n) answer['current_weight'] = weight;
    return { result: weight >= permission.threshold ? {} : { code: 'NOT_ENOUGH_PERMISSION' }, ...answer };
  } catch (error) {
    return { result: { code: codeOf(error), message: (error as Error).message }, ...answer };
  }
}

function approvedList(request: RouteRequest): JsonObject {
  const tx = transactionOfBody(request);
  const answer = wrapped(request, tx);
  if (tx.signed.signature.length > PARAMETERS.totalSignatures) throw nullPointer();
  if (tx.raw.contract.length === 0) return { result: { code: 'OTHER_ERROR', message: NO_CONTRACT }, ...answer };
  if (!request.view.world.findAccount(tx.owner))
    return { result: { code: 'OTHER_ERROR', message: NO_ACCOUNT }, ...answer };
  try {
    const approved = tx.signed.signature.map((signature) => {
      if (signature.length < 65) throw new SignatureFormatError(`Signature size is ${signature.length}`);
      return shownAddress(signerOf(tx, signature).toString('hex'), request.visible);
    });
    return { result: {}, ...(approved.length > 0 ? { approved_list: approved } : {}), ...answer };
  } catch (error) {
    return { result: { code: codeOf(error), message: (error as Error).message }, ...answer };
  }
}

export const signatureRoutes: readonly Route[] = [
  { name: 'getsignweight', silentGet: true, answer: signWeight },
  { name: 'getapprovedlist', silentGet: true, answer: approvedList },
];
