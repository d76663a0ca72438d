import type { ChainNode } from '../chain/chain.node';
import type { ChainView } from '../chain/chain.view';
import { HexError, JsonFormatError, NullAddressError, parseMessage } from '../protobuf/json.parser';
import type { Json, JsonObject } from '../protobuf/json.printer';
import { EnumType, type Field, type MessageType } from '../protobuf/message.schema';
import { InvalidWireError } from '../protobuf/wire.codec';
import type { NodeSight } from './node.sight';

/** An exception of the node, answered as `{"Error":"class … : …"}`. */
export class JavaError extends Error {
  constructor(
    readonly className: string,
    message: string,
  ) {
    super(message);
  }
}

/** What the node calls an error; undefined for anything of our own making, which is not dressed up as one of the node's. */
export function javaClassOf(error: unknown): string | undefined {
  if (error instanceof JavaError) return error.className;
  if (error instanceof JsonFormatError) return 'org.tron.core.services.http.JsonFormat$ParseException';
  if (error instanceof HexError) return 'org.bouncycastle.util.encoders.DecoderException';
  if (error instanceof NullAddressError) return 'java.lang.NullPointerException';
  return error instanceof InvalidWireError ? 'com.google.protobuf.InvalidProtocolBufferException' : undefined;
}

/** An error that the node answers without a class in front. */
export class PlainError extends Error {}

export const nullPointer = (): JavaError => new JavaError('java.lang.NullPointerException', 'null');
export const jsonError = (message: string): JavaError => new JavaError('org.tron.json.JSONException', message);

const typed = (field: Field, text: string): unknown => {
  if (field.kind === 'bool') return text.toLowerCase() === 'true';
  if (field.kind !== 'int64' && field.kind !== 'int32' && !(field.kind instanceof EnumType)) return text;
  if (field.kind instanceof EnumType && !/^[+-]?\d/.test(text)) return text;
  if (!/^[+-]?\d+$/.test(text)) throw new JavaError('java.lang.NumberFormatException', `For input string: "${text}"`);
  return BigInt(text);
};

export interface RouteRequest {
  readonly node: ChainNode;
  /** What the node that is asked has of the chain. */
  readonly sight: NodeSight;
  readonly view: ChainView;
  readonly solid: boolean;
  readonly visible: boolean;
  /** The body as JSON, or the query; undefined for an empty body. */
  readonly json: JsonObject | undefined;
  readonly fromQuery: boolean;
  /** As it came. */
  readonly body: string;
  /** Why a `tolerant` route has no JSON. */
  readonly unreadable?: unknown;
}

/** The request as the message that the node reads it into. */
export function readRequest<T>(request: RouteRequest, type: MessageType<T>): T {
  if (!request.fromQuery) return parseMessage(type, request.json, request.visible);
  const values = Object.entries(request.json ?? {}).flatMap(([name, value]) => {
    const field = type.byName.get(name);
    return field && typeof value === 'string' ? [[name, typed(field, value)]] : [];
  });
  return parseMessage(type, Object.fromEntries(values), request.visible);
}

export interface Route {
  readonly name: string;
  /** `wallet` alone, or served as `walletsolidity` too. */
  readonly twin?: boolean;
  readonly postOnly?: boolean;
  /** GET is answered with nothing, as by java-tron's servlets whose `doGet` is empty. */
  readonly silentGet?: boolean;
  /** Answers a body that is not JSON in its own way. */
  readonly tolerant?: boolean;
  /** Answers the same whatever the body says, so that a body is not even read. */
  readonly bodyless?: boolean;
  /** Printed with a space after each colon, as what comes straight from the node's `JsonFormat`. */
  readonly spaced?: boolean;
  /** Undefined is an answer without a body. */
  answer(request: RouteRequest): Json | undefined;
}
