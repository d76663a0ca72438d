import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { LoggerService } from '@nestjs/common';
import { logRequests } from '../../../src/common/http/request-log';

it('the line of each request of an order names the order, that of a repeated one too', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = { log: (line: Record<string, unknown>) => lines.push(line) } as unknown as LoggerService;
  const { observe, close } = logRequests(logger, (_request, network) => ({ userId: null, network }));
  const app = express().use(observe);
  let calls = 0;
  app.post('/order', (_request, response) => {
    calls += 1;
    response.set({ 'X-Request-Id': `request ${calls}`, 'X-Delegation-Id': 'the order' }).end();
  });
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/order`;
    for (let time = 1; time <= 25; time += 1) await (await fetch(url, { method: 'POST' })).text();
  } finally {
    const ended = once(server, 'close');
    server.close();
    await ended;
    close();
  }
  // More than the sample has of one caller.
  expect(lines.map(({ reqId, order }) => [reqId, order])).toEqual(
    Array.from({ length: 25 }, (_, at) => [`request ${at + 1}`, 'the order']),
  );
});
