import { choicesOf, type Form } from '../http/form';
import type { Visit } from '../http/visit';
import { bilingual } from '../i18n/bilingual';
import { Facts } from './values';

/** Only these are ever shown again: no password, no token, nothing that a form hides. */
const FIELDS = bilingual({
  en: {
    typed: 'What you had typed:',
    fields: {
      email: 'E-mail',
      name: 'Name',
      permissions: 'Permissions',
      expires: 'Expires in days',
      kind: 'Movement',
      amount: 'Amount',
      note: 'Reason',
      reference: 'Reference',
      transactions: 'Transactions',
      days: 'Days',
      unit_price: 'Unit price',
      rate_limit: 'Calls a minute',
      reason: 'Reason',
      receiver: 'Receiver address',
    },
  },
  zh: {
    typed: '您填写的内容:',
    fields: {
      email: '邮箱',
      name: '名称',
      permissions: '权限',
      expires: '有效天数',
      kind: '变动',
      amount: '数量',
      note: '原因',
      reference: '参考号',
      transactions: '笔数',
      days: '天数',
      unit_price: '单价',
      rate_limit: '每分钟调用数',
      reason: '原因',
      receiver: '接收地址',
    },
  },
});

function typedIn(form: Form, { locale }: Visit): (readonly [label: string, value: string])[] {
  return Object.entries(FIELDS[locale].fields).flatMap(([name, label]) => {
    const value = Object.hasOwn(form, name) ? choicesOf(form, name).join(', ').trim() : '';
    return value === '' ? [] : [[label, value] as const];
  });
}

export function hasTyped(form: Form | undefined, visit: Visit): boolean {
  return form !== undefined && typedIn(form, visit).length > 0;
}

/** On a page that answers a form with an error, so that it need not be thought up once more. To be read only: whether the form was ours is not known. */
export function TypedValues({ visit, form }: { visit: Visit; form: Form | undefined }) {
  const facts = form === undefined ? [] : typedIn(form, visit);
  if (facts.length === 0) return null;
  return (
    <>
      <p>{FIELDS[visit.locale].typed}</p>
      <Facts facts={facts} />
    </>
  );
}
