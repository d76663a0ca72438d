import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONFIGURATION, type Configuration } from '../../../config/configuration';

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);

/** What links to the panel begin with: PUBLIC_URL, else the address on which this process listens, else the configured one. */
@Injectable()
export class PanelAddress {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** Without a trailing slash. */
  baseUrl(): string {
    const { publicUrl, host } = this.configuration.http;
    if (publicUrl !== undefined) return publicUrl;
    return `http://${bracket(EVERY_ADDRESS.has(host) ? 'localhost' : host)}:${this.port()}`;
  }

  /** Reaches this process itself, past any proxy in front of it. */
  ownUrl(): string {
    const { host } = this.configuration.http;
    return `http://${bracket(EVERY_ADDRESS.has(host) ? '127.0.0.1' : host)}:${this.port()}`;
  }

  private port(): number {
    const adapter = this.adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | undefined;
    const server = adapter?.getHttpServer() as Server | undefined;
    const bound = server?.address() as AddressInfo | null | undefined;
    return bound?.port ?? this.configuration.http.port;
  }
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
