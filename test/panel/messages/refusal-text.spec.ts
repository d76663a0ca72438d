import { DomainError } from '../../../src/common/errors/domain.error';
import { refusalText } from '../../../src/panel/messages/refusal-text';

describe('a refusal, as a reader sees it', () => {
  it.each([
    ['there is already a user with this e-mail address', '已有用户使用此邮箱'],
    ['debit of 6.500000 refused: insufficient balance', '扣减 6.500000 被拒绝：余额不足'],
    ['reference "i-7" was used for a credit of 5.000000', '参考号 "i-7" 已用于另一笔 5.000000 的变动'],
    ['a note has at most 500 characters', '原因最多 500 个字符'],
    ['a reference has at most 200 characters', '参考号最多 200 个字符'],
    ['something that has no translation', 'something that has no translation'],
  ])('%s', (message, chinese) => {
    expect(refusalText(new DomainError(message), 'zh')).toBe(chinese);
  });

  it('is a sentence in English', () => {
    expect(refusalText(new DomainError('this link is not valid any more'), 'en')).toBe(
      'This link is not valid any more.',
    );
  });
});
