import { KEY_KINDS, keySourceOf } from '../../chain/transactions/signing/key-source';
import { WALLET_ROLES } from '../../chain/transactions/signing/wallet-role';
import type { NewWallet, KeyChange } from '../../chain/pool/wallets/pool-wallets';
import { checkWalletName } from '../../chain/pool/wallets/wallet-name';
import { InvalidValueError } from '../../common/errors/domain.error';
import { characterCount } from '../../common/text';
import { type Form, FormError, textOf } from '../http/form';
import type { Messages } from '../messages/catalogues';

const LONGEST_NAME = 100;
const PERMISSION = /^\d$/;

/** It takes no order until an operator has seen what the doctor says of it. @throws FormError, InvalidValueError */
export function readNewWallet(form: Form, messages: Messages['wallet']): NewWallet {
  const name = checkWalletName(textOf(form, 'name'));
  const length = characterCount(name);
  if (length < 1 || length > LONGEST_NAME) throw new FormError(messages.nameLength(LONGEST_NAME), 'name');
  const role = WALLET_ROLES.find((known) => known === textOf(form, 'role'));
  if (!role) throw new FormError(messages.noRole, 'role');
  const keySource = readKeySource(form);
  if (keySource === undefined) throw new FormError(messages.noKey, 'key');
  const permissionId = permissionOf(form, messages) ?? 0;
  return { name, address: textOf(form, 'address'), role, keySource, permissionId, state: 'paused' };
}

/** What is left empty stays as it is. @throws FormError, InvalidValueError */
export function readKeyChange(form: Form, messages: Messages['wallet']): KeyChange {
  const change = { keySource: readKeySource(form), permissionId: permissionOf(form, messages) };
  if (change.keySource === undefined && change.permissionId === undefined)
    throw new FormError(messages.noChange, 'key');
  return change;
}

/** False for one that is refused anyway, by a key in the place of its name: the question for the password would send it back. */
export function hasKeyPlace(form: Form): boolean {
  try {
    readKeySource(form);
    return true;
  } catch (error) {
    if (error instanceof InvalidValueError) return false;
    throw error;
  }
}

/** As a wallet's row names it; undefined when nothing was typed. The key itself never comes through here. @throws InvalidValueError */
export function readKeySource(form: Form): string | undefined {
  const place = textOf(form, 'key');
  if (place === '') return undefined;
  return keySourceOf(KEY_KINDS.find((known) => known === textOf(form, 'key_kind')) ?? 'env', place);
}

/** Undefined when nothing was typed. @throws FormError */
export function permissionOf(form: Form, messages: Messages['wallet']): number | undefined {
  const text = textOf(form, 'permission_id');
  if (text === '') return undefined;
  if (!PERMISSION.test(text)) throw new FormError(messages.badPermission, 'permission_id');
  return Number(text);
}
