import { bytesOfHex } from '../protobuf/json.parser';
import type { JsonObject } from '../protobuf/json.printer';
import { decodeBase58, illegalLetter, isAddress } from '../signing/address.codec';
import { chainParameters } from './parameter.table';
import { textField } from './request.fields';
import type { Route, RouteRequest } from './route.model';

const CODE_VERSION = '4.8.2';
/** Code of the same release. */
const VERSION_NUMBER = '18631';

function nodeInfo({ node, sight }: RouteRequest): JsonObject {
  const solid = node.blocks.find(sight.finalHeight)!;
  const { head } = sight;
  const memory = process.memoryUsage();
  return {
    beginSyncNum: head.height,
    block: `Num:${head.height},ID:${head.id}`,
    solidityBlock: `Num:${solid.height},ID:${solid.id}`,
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    configNodeInfo: {
      codeVersion: CODE_VERSION,
      versionNum: VERSION_NUMBER,
      p2pVersion: '0',
      listenPort: 0,
      discoverEnable: false,
      activeNodeSize: 0,
      passiveNodeSize: 0,
      sendNodeSize: 0,
      maxConnectCount: 0,
      sameIpMaxConnectCount: 0,
      backupListenPort: 0,
      backupMemberSize: 0,
      backupPriority: 0,
      dbVersion: 2,
      minParticipationRate: 0,
      supportConstant: true,
      minTimeRatio: 0,
      maxTimeRatio: 0,
      allowCreationOfContracts: 1,
      allowAdaptiveEnergy: 0,
    },
    machineInfo: {
      threadCount: 1,
      deadLockThreadCount: 0,
      jvmTotalMemory: memory.heapTotal,
      jvmFreeMemory: memory.heapTotal - memory.heapUsed,
    },
    cheatWitnessInfoMap: {},
  };
}

/** The address of a text of this length, as far as it is one. @throws Error worded as Java's */
function addressOfText(text: string): { form: string; address: Buffer | undefined } | undefined {
  if (text.length === 42) return { form: 'Hex string format', address: bytesOfHex(text) };
  if (text.length === 34) {
    const illegal = illegalLetter(text);
    if (illegal) throw new Error(illegal);
    return { form: 'Base58check format', address: decodeBase58(text) };
  }
  if (text.length !== 28) return undefined;
  const wrong = /[^A-Za-z0-9+/=]/.exec(text)?.[0];
  if (wrong) throw new Error(`Illegal base64 character ${wrong.charCodeAt(0).toString(16)}`);
  return { form: 'Base64 format', address: Buffer.from(text, 'base64') };
}

/** The form of an address is known by its length, as the node does. Without JSON it says nothing at all. */
function validateAddress(request: RouteRequest): JsonObject | undefined {
  if (request.unreadable || !request.json) return undefined;
  const text = textField(request.json, 'address');
  if (text === undefined)
    return { result: false, message: 'Cannot invoke "String.length()" because "<parameter1>" is null' };
  try {
    const found = addressOfText(text);
    if (!found) return { result: false, message: 'Length error' };
    const valid = found.address !== undefined && isAddress(found.address);
    return { result: valid, message: valid ? found.form : 'Invalid address' };
  } catch (error) {
    return { result: false, message: (error as Error).message };
  }
}

const always = (name: string, answer: (request: RouteRequest) => JsonObject, twin = false): Route => ({
  name,
  twin,
  bodyless: true,
  answer,
});

export const nodeRoutes: readonly Route[] = [
  always('getnodeinfo', nodeInfo, true),
  always('getchainparameters', ({ view }) => ({
    chainParameter: chainParameters(view.world.parameters).map(([key, value]) =>
      value === undefined ? { key } : { key, value },
    ),
  })),
  always('getenergyprices', ({ view }) => ({ prices: `0:${view.world.parameters.energyFeeSun}` }), true),
  always('getbandwidthprices', ({ view }) => ({ prices: `0:${view.world.parameters.netFeeSun}` }), true),
  always('getmemofee', ({ view }) => ({ prices: `0:${view.world.parameters.memoFeeSun}` })),
  always('getburntrx', ({ view }) => ({ burnTrxAmount: view.world.network.burnedSun }), true),
  always('listnodes', () => ({})),
  // The node gave up counting them.
  always('totaltransaction', () => ({})),
  { name: 'validateaddress', tolerant: true, answer: validateAddress },
];
