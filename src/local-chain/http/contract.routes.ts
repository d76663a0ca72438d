import { utils } from 'tronweb';
import { TRIGGER_CONTRACT } from '../protobuf/contract.schema';
import { JsonFormatError, bytesOfHex, parseMessage } from '../protobuf/json.parser';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { readAddressValue, textField } from './request.fields';
import { JavaError, javaClassOf, type Route, type RouteRequest } from './route.model';

type ReadField = (name: string) => string;
/** Why the fields of a call do not go together, or undefined. */
type FieldCheck = (field: ReadField) => string | undefined;

const checkCall: FieldCheck = (field) => {
  const missing = ['owner_address', 'contract_address'].find((name) => field(name) === '');
  return missing && `${missing} isn't set.`;
};

/** A constant call may also be that of a contract that does not exist yet, by its code alone. */
const checkConstantCall: FieldCheck = (field) => {
  if (field('owner_address') === '') return "owner_address isn't set.";
  if (field('contract_address') !== '') return undefined;
  if (field('data') === '') return 'At least one of contract_address and data must be set.';
  if (field('function_selector') === '') return undefined;
  return 'While trying to deploy, function_selector and data can not be both set.';
};

const selectorOf = (signature: string): string =>
  utils.ethersUtils.keccak256(Buffer.from(signature, 'utf8')).slice(2, 10);

/** The address of the contract that is to be called, once all else is read. @throws what the node throws */
function readContract(request: RouteRequest, check: FieldCheck): Buffer {
  const { json } = request;
  if (request.unreadable) throw request.unreadable;
  if (!json)
    throw new JavaError(
      'java.lang.NullPointerException',
      'Cannot invoke "com.alibaba.fastjson.JSONObject.getString(String)" because "<local1>" is null',
    );
  const field: ReadField = (name) => textField(json, name) ?? '';
  const wrong = check(field);
  if (wrong) throw new JavaError('java.security.InvalidParameterException', wrong);
  const { contract_address: contract } = parseMessage(TRIGGER_CONTRACT, json, request.visible);
  const selector = field('function_selector');
  if (selector !== '') bytesOfHex(selectorOf(selector) + field('parameter'));
  return contract;
}

/** Line and column of the value that is not understood stand in front, counted from one. */
function withPlace(body: string, { message, field }: JsonFormatError): string {
  const found = new RegExp(`"${field}"\\s*:\\s*`).exec(body);
  if (!found) return message;
  const lines = body.slice(0, found.index + found[0].length).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}: ${message}`;
}

function messageOf(request: RouteRequest, error: unknown): string {
  const className = javaClassOf(error);
  if (!className) throw error;
  const message = error instanceof JsonFormatError ? withPlace(request.body, error) : (error as Error).message;
  return `class ${className} : ${message.replaceAll('"', "'")}`;
}

const refused = ({ visible }: RouteRequest, code: string, message: string): Json => ({
  result: { code, message: visible ? message : Buffer.from(message, 'utf8').toString('hex') },
});

/** There is no contract on this chain, so a call ends as the node refuses that of one that is not there. */
const call =
  (check: FieldCheck, refusal: (contract: Buffer) => string) =>
  (request: RouteRequest): Json => {
    try {
      return refused(request, 'CONTRACT_VALIDATE_ERROR', refusal(readContract(request, check)));
    } catch (error) {
      return refused(request, 'OTHER_ERROR', messageOf(request, error));
    }
  };

/** Code that is in no contract yet would have to be run: so says a node that runs none. */
const constantCall = call(checkConstantCall, (contract) =>
  contract.length > 0 ? 'Smart contract is not exist.' : 'this node does not support constant',
);

const nothing = (request: RouteRequest): JsonObject => {
  readAddressValue(request);
  return {};
};

const silent = { silentGet: true, tolerant: true };

export const contractRoutes: readonly Route[] = [
  { name: 'getcontract', answer: nothing },
  { name: 'getcontractinfo', answer: nothing },
  { name: 'triggerconstantcontract', twin: true, ...silent, answer: constantCall },
  { name: 'estimateenergy', twin: true, ...silent, spaced: true, answer: constantCall },
  {
    name: 'triggersmartcontract',
    ...silent,
    answer: call(checkCall, () => 'No contract or not a valid smart contract'),
  },
];
