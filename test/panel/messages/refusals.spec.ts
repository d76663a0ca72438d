import { DomainError } from '../../../src/common/errors/domain.error';
import { refusedField } from '../../../src/panel/http/refused-field';
import { CATALOGUES } from '../../../src/panel/messages/catalogues';

const used = { reference: 'i-7', kind: 'credit', amountSun: 5_000_000n };

describe('a refusal, as a reader sees it', () => {
  it.each([
    [new DomainError('user.email-taken'), '已有用户使用此邮箱', 'email'],
    [
      new DomainError('movement.balance-insufficient', { amountSun: 6_500_000n }),
      '扣减 6.500000 被拒绝：余额不足',
      'amount',
    ],
    [new DomainError('movement.reference-used', used), '参考号 "i-7" 已用于另一笔 5.000000 的变动', 'reference'],
    [new DomainError('movement.note-length', { longest: 500 }), '原因最多 500 个字符', 'note'],
    [new DomainError('movement.reference-length', { longest: 200 }), '参考号最多 200 个字符', 'reference'],
    [new DomainError('user.name-changed', { name: 'Ann' }), '姓名已被他人改为“Ann”，您的修改未保存', 'name'],
    [new DomainError('invitation.not-valid'), '此链接已失效', undefined],
  ])('%s', (error, chinese, field) => {
    expect(CATALOGUES.zh.language.refusal(error)).toBe(chinese);
    expect(refusedField(error)).toBe(field);
  });

  it('is a sentence in English', () => {
    expect(CATALOGUES.en.language.refusal(new DomainError('invitation.not-valid'))).toBe(
      'This link has expired, or was used or replaced.',
    );
  });
});
