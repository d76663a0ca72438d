import type { WalletRow } from '../../chain/pool/wallets/wallet-row';
import type { CareRow } from '../../stake-care/care.repository';
import type { Form } from '../http/form';
import { Checkbox, Facts, Field, type FormProblem, PostForm, useMessages } from '../layout/components';
import { WalletKeyFields } from '../wallets/wallet-key-fields';
import { careFields, shownFields } from './care-form';
import { stakePath } from './stake-path';

interface Props {
  readonly wallet: WalletRow;
  readonly care: CareRow | null;
  /** A change that was refused. */
  readonly form?: Form;
  readonly problem?: FormProblem;
}

/** How a stake is cared for. */
export function CarePage({ wallet, care, form, problem }: Props) {
  const messages = useMessages('stake');
  const layout = useMessages('layout');
  const title = care ? messages.setCare : messages.switchOn;
  return (
    <div class="narrow">
      <h1>{title}</h1>
      <Facts facts={[[useMessages('operator').name, wallet.name]]} />
      {!care && <p>{messages.careOffText}</p>}
      <PostForm action={`${stakePath(wallet)}/care`} label={title} form={form ?? careFields(care)} problem={problem}>
        {shownFields(care, form).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} autocomplete="off" />
        ))}
        <Field name="votes" label={messages.votesFor} hint={messages.votesHint} autocomplete="off" spellcheck={false} />
        <Checkbox name="claims" value="yes" label={messages.claims} />
        <Checkbox name="restakes" value="yes" label={messages.restakes} />
        <Field
          name="keep_liquid"
          label={messages.keepLiquid}
          hint={messages.keepLiquidHint}
          required
          inputmode="decimal"
          autocomplete="off"
        />
        <WalletKeyFields mayStay={care !== null} permissionHint={care ? undefined : messages.permissionHint} />
        <div class="buttons">
          <button type="submit">{title}</button>
          <a href={stakePath(wallet)}>{layout.cancel}</a>
        </div>
      </PostForm>
      <p class="caption">{messages.command(wallet.name)}</p>
    </div>
  );
}
