import { ContractValidateError } from '../chain/transaction.errors';
import { CONTRACT_RULES } from '../contracts/contract.registry';
import { isContract } from '../contracts/trigger.contract';
import { TRIGGER_CONTRACT, type TriggerMessage } from '../protobuf/contract.schema';
import { JsonFormatError, bytesOfHex, parseMessage } from '../protobuf/json.parser';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { selectorOf } from '../token/call.words';
import type { ContractProgram } from '../token/contract.program';
import { findProgram, isReading, runContract } from '../token/program.table';
import { printUnsigned } from './builder.routes';
import { compact } from './compact.json';
import { integerField, readAddressValue, textField } from './request.fields';
import { JavaError, javaClassOf, type Route, type RouteRequest } from './route.model';
import { printContract, printContractInfo } from './token.printer';

type ReadField = (name: string) => string;
/** Why the fields of a call do not go together, or undefined. */
type FieldCheck = (field: ReadField) => string | undefined;

const TRIGGER = CONTRACT_RULES.get(31)!;

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

/** The call, as its message; a function by its signature comes before the data. @throws what the node throws */
function readCall(request: RouteRequest, check: FieldCheck): TriggerMessage {
  const { json } = request;
  if (request.unreadable) throw request.unreadable;
  if (!json)
    throw new JavaError(
      'java.lang.NullPointerException',
      'Cannot invoke "org.tron.json.JSONObject.getString(String)" because "<local1>" is null',
    );
  const field: ReadField = (name) => textField(json, name) ?? '';
  const wrong = check(field);
  if (wrong) throw new JavaError('java.security.InvalidParameterException', wrong);
  const message = parseMessage(TRIGGER_CONTRACT, json, request.visible);
  const selector = field('function_selector');
  return selector === '' ? message : { ...message, data: bytesOfHex(selectorOf(selector) + field('parameter')) };
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

const shownText = ({ visible }: RouteRequest, text: string): string =>
  visible ? text : Buffer.from(text, 'utf8').toString('hex');

const refused = (request: RouteRequest, code: string, message: string): Json => ({
  result: { code, message: shownText(request, message) },
});

const call =
  (check: FieldCheck, answer: (request: RouteRequest, message: TriggerMessage) => Json) =>
  (request: RouteRequest): Json => {
    try {
      return answer(request, readCall(request, check));
    } catch (error) {
      if (error instanceof ContractValidateError) return refused(request, 'CONTRACT_VALIDATE_ERROR', error.reason);
      return refused(request, 'OTHER_ERROR', messageOf(request, error));
    }
  };

/** Code that is in no contract yet would have to be run: so says a node that runs none. */
function requireContract({ contract_address: contract }: TriggerMessage, missing: string): void {
  if (contract.length === 0) throw new ContractValidateError('this node does not support constant');
  if (!isContract(contract)) throw new ContractValidateError(missing);
}

/** What a call would come to. A revert is a result like any other: only `ret` of the transaction, and a message, tell of it. */
function printRun(request: RouteRequest, message: TriggerMessage): Json {
  const { data, call_value: callValueSun } = message;
  const [caller, contract] = [message.owner_address.toString('hex'), message.contract_address.toString('hex')];
  const run = runContract(request.view.world, contract, { caller, data, callValueSun });
  const failure = run.reverted ? { message: shownText(request, 'REVERT opcode executed') } : {};
  return {
    result: { result: true, ...failure },
    ...compact({ energy_used: run.energyUnits, energy_penalty: run.penaltyUnits }),
    constant_result: [run.output.toString('hex')],
    ...compact({ logs: run.logs.map((log) => ({ ...log })) }),
    transaction: { ret: [run.reverted ? { ret: 'FAILED' } : {}], ...printUnsigned(request, TRIGGER, message) },
  };
}

function constantCall(request: RouteRequest, message: TriggerMessage): Json {
  requireContract(message, 'Smart contract is not exist.');
  return printRun(request, message);
}

/** Most nodes estimate nothing. */
function estimate(_request: RouteRequest, message: TriggerMessage): Json {
  requireContract(message, 'Smart contract is not exist.');
  throw new ContractValidateError('this node does not support estimate energy');
}

/** A call that changes nothing is answered at once. */
function trigger(request: RouteRequest, message: TriggerMessage): Json {
  requireContract(message, 'No contract or not a valid smart contract');
  if (isReading(message.contract_address.toString('hex'), message.data)) return printRun(request, message);
  const feeLimitSun = integerField(request.json!, 'fee_limit');
  return { result: { result: true }, transaction: printUnsigned(request, TRIGGER, message, feeLimitSun) };
}

const ofContract =
  (print: (request: RouteRequest, program: ContractProgram) => JsonObject) =>
  (request: RouteRequest): JsonObject => {
    const program = findProgram(readAddressValue(request).toString('hex'));
    return program ? print(request, program) : {};
  };

const silent = { silentGet: true, tolerant: true };

export const contractRoutes: readonly Route[] = [
  { name: 'getcontract', answer: ofContract(printContract) },
  { name: 'getcontractinfo', answer: ofContract(printContractInfo) },
  { name: 'triggerconstantcontract', twin: true, ...silent, answer: call(checkConstantCall, constantCall) },
  { name: 'estimateenergy', twin: true, ...silent, spaced: true, answer: call(checkConstantCall, estimate) },
  { name: 'triggersmartcontract', ...silent, answer: call(checkCall, trigger) },
];
