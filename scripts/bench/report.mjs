const NAMES = {
  a: 'a  a bare Nest route',
  b: 'b  GET /api/user/balance',
  c: 'c  POST /api/chain/delegate-resource (accepted)',
  hot: '   c, half the connections on one hot account',
  others: '   c, the other half beside it, on all others',
  d: 'd  the row changes of c, as raw SQL',
};

export function printTable(results) {
  const lines = Object.entries(results).map(([name, { perSecond, p50, p99, refused }]) =>
    [NAMES[name].padEnd(50), perSecond.toFixed(0).padStart(9), ms(p50), ms(p99), String(refused ?? 0).padStart(9)].join(
      ' ',
    ),
  );
  const heading = ['', 'per s', 'p50 ms', 'p99 ms', 'refused'];
  process.stdout.write(
    `\n${heading[0].padEnd(50)} ${heading
      .slice(1)
      .map((word) => word.padStart(9))
      .join(' ')}\n${lines.join('\n')}\n\n`,
  );
}

export function describe({ fill, connections }, { byPath, result }, cpuMs) {
  const cpu = Object.entries(cpuMs).map(([name, each]) => `  ${name.padEnd(44)} ${each.toFixed(2)}`);
  const calls = Object.entries(byPath).map(
    ([path, count]) => `  ${path.padEnd(44)} ${(count / result.answered).toFixed(3)}`,
  );
  return `${connections} connections, ${fill} orders in the table beforehand. Calls to the node per order:\n${calls.join('\n')}
Processor time of one order in c, in ms:\n${cpu.join('\n')}\n\n`;
}

export function describeWebhooks({ perMinute, toHealthy, delivered, timedOut, p50, p99, slowest, rssMb }) {
  return `Webhooks: ${perMinute} events a minute to 100 receivers of which ten hang; of ${toHealthy} to the others ${delivered} were delivered,
p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms; of the ten ${timedOut} attempts had timed out by then; ${rssMb} MB\n\n`;
}

export function describeSigner({ within, socket, laterMs, fastestLaterMs, orders }) {
  return `Orders one after the other, ${orders} of each: signed within p5 ${ms(within.p5).trim()} ms, p50 ${ms(within.p50).trim()} ms, p95 ${ms(within.p95).trim()} ms; by a signer on a Unix socket
p5 ${ms(socket.p5).trim()} ms, p50 ${ms(socket.p50).trim()} ms, p95 ${ms(socket.p95).trim()} ms; the median is ${laterMs.toFixed(2)} ms later (bar: 2 ms), the fastest twentieth ${fastestLaterMs.toFixed(2)} ms\n\n`;
}

export function describeDeposits({ readMs, scanMs, paymentMs }) {
  return `A block of 300 transactions beside 10,000 addresses, in processor time of the service: read and proved in ${readMs.toFixed(2)} ms, scanned as a head and
once it is final in ${scanMs.toFixed(2)} ms: ${((100 * scanMs) / readMs).toFixed(0)} % (bar: 10 %); with a payment to one of the addresses in ${paymentMs.toFixed(2)} ms\n\n`;
}

export function describePace({ idle, comparison, busy, waitsMs }) {
  const lines = [
    `  nothing open, 20 wallets                     ${idle.toFixed(0)} (of that a tenth of ${comparison} for a comparison)`,
    ...Object.entries(busy).map(
      ([wallets, calls]) => `  an order every 1.5 s, ${wallets} wallets              ${calls.toFixed(0)}`,
    ),
  ];
  return `Calls to the node a minute, on blocks of three seconds:\n${lines.join('\n')}
From block to answer, ${waitsMs.length} orders: median ${quantile(waitsMs, 0.5)} ms, p95 ${quantile(waitsMs, 0.95)} ms\n\n`;
}

/** The nearest rank. */
export function quantile(sorted, share) {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

function ms(value) {
  return value.toFixed(1).padStart(9);
}
