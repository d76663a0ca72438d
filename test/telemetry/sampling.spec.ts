import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { openTracer } from '../../src/telemetry/tracing/open-tracer';
import { parseTraceparent } from '../../src/telemetry/tracing/traceparent';

const settings = { url: 'http://127.0.0.1:9/v1/traces', headers: {}, serviceName: 'test' };
// An id that any ratio of ids takes, and the last one that one takes.
const IDS = ['00000000000000000000000000000001', 'ffffffffffffffffffffffffffffffff'];

describe('what is traced', () => {
  async function isRecorded(ratio: number, traceparent: string, isRemote: boolean): Promise<boolean> {
    const open = await openTracer({ ...settings, ratio });
    try {
      const parent = trace.setSpanContext(ROOT_CONTEXT, parseTraceparent(traceparent, isRemote)!);
      return open.tracer.startSpan('GET', {}, parent).isRecording();
    } finally {
      await open.close();
    }
  }

  it('is decided by the setting, whatever id and flag a stranger sends', async () => {
    for (const id of IDS) {
      for (const flag of ['00', '01']) {
        const traceparent = `00-${id}-b7ad6b7169203331-${flag}`;
        expect([traceparent, await isRecorded(0, traceparent, true)]).toEqual([traceparent, false]);
        expect([traceparent, await isRecorded(1, traceparent, true)]).toEqual([traceparent, true]);
      }
    }
  });

  it('of an order goes on to its solid block as its request was', async () => {
    for (const ratio of [0, 1]) {
      expect(await isRecorded(ratio, `00-${IDS[1]}-b7ad6b7169203331-01`, false)).toBe(true);
      expect(await isRecorded(ratio, `00-${IDS[1]}-b7ad6b7169203331-00`, false)).toBe(false);
    }
  });
});
