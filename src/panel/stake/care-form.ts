import { parseTrx, trxLiteral } from '../../common/money/sun';
import type { CareRow, CareSettings } from '../../stake-care/care.repository';
import { readVotes, writtenVotes } from '../../stake-care/vote-shares';
import { type Form, FormError, textOf } from '../http/form';
import { SHOWN } from '../layout/shown-fields';
import type { Messages } from '../messages/catalogues';
import { permissionOf, readKeySource } from '../wallets/wallet-form';

const SETTINGS = ['votes', 'claims', 'restakes', 'keep_liquid'] as const;

/** As they stand in the fields of a care that is off. */
const OFF: Form = { votes: '', claims: 'yes', restakes: '', keep_liquid: '1000' };

/** What the fields show at first. */
export function careFields(care: CareRow | null): Form {
  if (!care) return OFF;
  return {
    votes: writtenVotes(care.votes),
    claims: care.claims ? 'yes' : '',
    restakes: care.restakes ? 'yes' : '',
    keep_liquid: trxLiteral(care.keep_liquid_sun),
  };
}

/** Hidden beside the fields: of a form that comes back, what it showed at first. */
export function shownFields(care: CareRow | null, form: Form | undefined): readonly (readonly [string, string])[] {
  if (!care) return [];
  const now = careFields(care);
  return SETTINGS.map((name) => {
    const field = `${SHOWN}${name}`;
    return [field, form && Object.hasOwn(form, field) ? textOf(form, field) : textOf(now, name)] as const;
  });
}

/**
 * Only what was changed in the form: another operator may have changed the rest since it was opened.
 * @throws FormError, InvalidValueError
 */
export function readCareChange(
  form: Form,
  care: CareRow | null,
  messages: Pick<Messages, 'stake' | 'wallet'>,
): Partial<CareSettings> {
  const keySource = readKeySource(form);
  const permissionId = permissionOf(form, messages.wallet);
  if (care === null && keySource === undefined) throw new FormError(messages.wallet.noKey, 'key');
  if (keySource !== undefined && permissionId === undefined)
    throw new FormError(messages.stake.permissionNeeded, 'permission_id');
  const isChanged = (name: (typeof SETTINGS)[number]) =>
    care === null || textOf(form, name) !== textOf(form, `${SHOWN}${name}`);
  const change: Partial<CareSettings> = {
    ...(keySource !== undefined && { keySource }),
    ...(permissionId !== undefined && { permissionId }),
    ...(isChanged('votes') && { votes: votesIn(form) }),
    ...(isChanged('claims') && { claims: textOf(form, 'claims') === 'yes' }),
    ...(isChanged('restakes') && { restakes: textOf(form, 'restakes') === 'yes' }),
    ...(isChanged('keep_liquid') && { keepLiquidSun: keptIn(form, messages.stake) }),
  };
  if (Object.keys(change).length === 0) throw new FormError(messages.stake.noCareChange);
  return change;
}

/** Without a witness the care votes for none. */
function votesIn(form: Form) {
  const text = textOf(form, 'votes');
  return text === '' ? [] : readVotes(text);
}

function keptIn(form: Form, messages: Messages['stake']): bigint {
  const sun = parseTrx(textOf(form, 'keep_liquid'));
  if (sun === null) throw new FormError(messages.badKeepLiquid, 'keep_liquid');
  return sun;
}
