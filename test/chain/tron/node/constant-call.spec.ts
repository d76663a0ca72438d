import { readCallResult } from '../../../../src/chain/tron/node/constant-call';
import { NodeUnavailableError } from '../../../../src/chain/tron/node/node-errors';

const hex = (text: string) => Buffer.from(text).toString('hex');
const refused = (code: string, message: string) => ({ result: { code, message: hex(message) } });
const done = (more: object = {}) => ({
  result: { result: true },
  energy_used: 130_285,
  constant_result: ['00'],
  transaction: { ret: [{}] },
  ...more,
});

describe('a node’s answer to a constant call', () => {
  it('has the penalty in its energy', () => {
    const expected = { kind: 'done', energy: 130_285n, penalty: 0n, output: '00' };
    expect(readCallResult(done())).toEqual(expected);
    expect(readCallResult(done({ energy_penalty: 100_675 }))).toEqual({ ...expected, penalty: 100_675n });
  });

  it('of a revert says so in the transaction’s ret alone', () => {
    const reverted = {
      result: { result: true, message: hex('REVERT opcode executed') },
      transaction: { ret: [{ ret: 'FAILED' }] },
    };
    expect(readCallResult(done(reverted))).toEqual({ kind: 'failed' });
  });

  it.each([
    ['OTHER_ERROR', 'class org.tron.core.vm.program.Program$OutOfEnergyException : Not enough energy', 'failed'],
    [
      'OTHER_ERROR',
      'class org.tron.core.vm.program.Program$IllegalOperationException : Invalid operation code: opCode[fe]',
      'failed',
    ],
    ['OTHER_ERROR', 'class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout', 'not-run'],
    ['CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.', 'no-contract'],
    ['CONTRACT_VALIDATE_ERROR', 'No contract or not a smart contract', 'no-contract'],
    ['CONTRACT_VALIDATE_ERROR', 'tokenId must be > 1000000', 'failed'],
  ])('of %s “%s” is understood as %s', (code, message, kind) => {
    expect(readCallResult(refused(code, message))).toEqual({ kind });
    // Some nodes write the message as text.
    expect(readCallResult({ result: { code, message } })).toEqual({ kind });
  });

  it('of a node that runs none is null', () => {
    expect(readCallResult(refused('CONTRACT_VALIDATE_ERROR', 'this node does not support constant'))).toBeNull();
  });

  it.each([
    ['nothing', {}],
    ['another exception', refused('OTHER_ERROR', 'class java.lang.NullPointerException : null')],
    ['another code', refused('SERVER_BUSY', '')],
    ['success without a transaction', { result: { result: true }, energy_used: 1 }],
    ['success without energy', done({ energy_used: undefined })],
    ['more penalty than energy', done({ energy_penalty: 130_286 })],
    ['energy that is not a number', done({ energy_used: 'much' })],
  ])('that says nothing of the call (%s) is none', (_what, answer) => {
    expect(() => readCallResult(answer)).toThrow(NodeUnavailableError);
  });
});
