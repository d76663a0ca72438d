import type { Locale } from '../messages/locale';
import { ORDER_MESSAGES } from '../messages/order.messages';

const CHINESE: Readonly<Record<string, string>> = {
  ordered: '已下单',
  answered: '已应答',
  'shortage read': '读到质押短缺',
  'reclaim failed': '回收失败，稍后重试',
};
const PURPOSES: Readonly<Record<string, string>> = {
  activation: '激活交易',
  delegation: '委托交易',
  reclaim: '回收交易',
};
const FATES: Readonly<Record<string, string>> = {
  sent: '已发送',
  included: '已打包',
  final: '已固化',
  dead: '已失效',
  'dropped by a fork': '因分叉被移除',
};

/** The name of an event of an order or of one of its transactions. The rows have it in English. */
export function eventName(kind: string, locale: Locale): string {
  if (locale === 'en') return kind;
  const states: Readonly<Record<string, string>> = ORDER_MESSAGES.zh.states;
  const [, purpose, outcome] = /^(\w+) (.+)$/.exec(kind) ?? [];
  const ofTransaction =
    purpose && outcome && PURPOSES[purpose] && FATES[outcome] && `${PURPOSES[purpose]}${FATES[outcome]}`;
  return CHINESE[kind] ?? states[kind] ?? (ofTransaction || kind);
}
