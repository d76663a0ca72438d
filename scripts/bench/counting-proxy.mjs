import { Agent, createServer, request as forward } from 'node:http';
import { once } from 'node:events';

/** What the block follower and the readings of the pool ask for, whether there are orders or not. */
const FOLLOWER =
  /^\/wallet(?:solidity)?\/(?:getblock\w*|getcandelegatedmaxsize|getaccountresource)$|^\/walletsolidity\//;

/** Between service and node: counts what the node is asked, by path, independent of what the service says of itself. */
export async function startCountingProxy(target) {
  const calls = new Map();
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    calls.set(request.url, (calls.get(request.url) ?? 0) + 1);
    const { url: path, method, headers } = request;
    const onward = forward({ agent, hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async countDuring(work) {
      calls.clear();
      const result = await work();
      const byPath = Object.fromEntries([...calls].sort((one, other) => other[1] - one[1]));
      const orders = [...calls].filter(([path]) => !FOLLOWER.test(path)).reduce((sum, [, count]) => sum + count, 0);
      return { result, byPath, orders };
    },
    stop() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
