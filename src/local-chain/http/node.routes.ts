import { PARAMETERS } from '../chain/chain.parameters';
import { WITNESSES } from '../genesis.accounts';
import type { JsonObject } from '../protobuf/json.printer';
import { decodeBase58, isAddress } from '../signing/address.codec';
import { shownAddress } from './account.printer';
import { CHAIN_PARAMETERS } from './parameter.table';
import type { Route, RouteRequest } from './route.model';

const CODE_VERSION = '4.8.0';
const MAINTENANCE_MS = 21_600_000;

function nodeInfo({ node }: RouteRequest): JsonObject {
  const solid = node.blocks.find(node.nodeInfoSolidHeight)!;
  const memory = process.memoryUsage();
  return {
    beginSyncNum: node.head.height,
    block: `Num:${node.head.height},ID:${node.head.id}`,
    solidityBlock: `Num:${solid.height},ID:${solid.id}`,
    currentConnectCount: 0,
    activeConnectCount: 0,
    passiveConnectCount: 0,
    totalFlow: 0,
    peerList: [],
    configNodeInfo: {
      codeVersion: CODE_VERSION,
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
      supportConstant: false,
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

/** The form of an address is told from its length, as the node does. */
function validateAddress({ json }: RouteRequest): JsonObject {
  const text = typeof json?.['address'] === 'string' ? json['address'] : '';
  const forms: Record<number, [string, () => Buffer | undefined]> = {
    42: ['Hex string format', () => (/^[0-9a-fA-F]*$/.test(text) ? Buffer.from(text, 'hex') : undefined)],
    34: ['Base58check format', () => decodeBase58(text)],
    28: ['Base64 format', () => Buffer.from(text, 'base64')],
  };
  const form = forms[text.length];
  if (!form) return { result: false, message: 'Length error' };
  const address = form[1]();
  return address && isAddress(address)
    ? { result: true, message: form[0] }
    : { result: false, message: 'Invalid address' };
}

const witnesses = ({ visible }: RouteRequest): JsonObject => ({
  witnesses: WITNESSES.map(({ address }, i) => ({
    address: shownAddress(address.toString('hex'), visible),
    url: `http://witness-${i + 1}.local-chain`,
    isJobs: true,
  })),
});

const nextMaintenance = ({ node }: RouteRequest): JsonObject => ({
  num: (Math.floor(node.head.timestamp / MAINTENANCE_MS) + 1) * MAINTENANCE_MS,
});

const always = (name: string, answer: (request: RouteRequest) => JsonObject, twin = false): Route => ({
  name,
  twin,
  bodyless: true,
  answer,
});

export const nodeRoutes: readonly Route[] = [
  always('getnodeinfo', nodeInfo, true),
  always('getchainparameters', () => ({
    chainParameter: CHAIN_PARAMETERS.map(([key, value]) => (value === undefined ? { key } : { key, value })),
  })),
  always('getenergyprices', () => ({ prices: `0:${PARAMETERS.energyFeeSun}` }), true),
  always('getbandwidthprices', () => ({ prices: `0:${PARAMETERS.netFeeSun}` }), true),
  always('getmemofee', () => ({ prices: `0:${PARAMETERS.memoFeeSun}` })),
  always('getnextmaintenancetime', nextMaintenance),
  always('getburntrx', ({ view }) => ({ burnTrxAmount: view.world.network.burnedSun }), true),
  always('listnodes', () => ({})),
  { name: 'listwitnesses', twin: true, answer: witnesses },
  // Nobody votes here, so there is nothing to be rewarded for.
  { name: 'getReward', twin: true, answer: () => ({ reward: 0 }) },
  { name: 'getBrokerage', twin: true, answer: () => ({ brokerage: 20 }) },
  { name: 'validateaddress', answer: validateAddress },
];
