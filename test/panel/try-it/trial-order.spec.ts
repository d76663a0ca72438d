import { execFileSync } from 'node:child_process';
import { bodyOf, curlOf, readTrialOrder } from '../../../src/panel/try-it/trial-order';

describe('the call that an order is tried with', () => {
  it.each([
    ['1', '1'],
    ['1.50', '1.50'],
    ['1e3', '"1e3"'],
    ['01', '"01"'],
    ['one', '"one"'],
  ])('has the amount %s as %s', (amount, written) => {
    expect(bodyOf(readTrialOrder({ amount }))).toContain(`"amount":${written},`);
  });

  it('reaches the shell as it is, whatever was typed', () => {
    const order = readTrialOrder({ receiver: `T'; echo "$HOME" \`id\` \\ #`, amount: "'" });
    const script = curlOf(order, 'http://127.0.0.1:1').replace(/^curl/, `printf '%s\\n'`);
    const messages = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n');
    expect(messages.at(-2)).toBe(bodyOf(order));
    expect(JSON.parse(messages.at(-2)!)).toMatchObject({ receiver_address: order.receiver, amount: "'" });
  });
});
