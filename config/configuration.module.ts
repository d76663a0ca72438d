import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { CONFIGURATION, type Configuration } from './configuration';

interface Loaded {
  readonly service: Configuration;
}

/** Hands the one Configuration, validated before Nest begins, to everything that Nest makes; the environment is not read again. */
@Global()
@Module({})
export class ConfigurationModule {
  static with(configuration: Configuration): DynamicModule {
    const loaded: Loaded = { service: configuration };
    return {
      module: ConfigurationModule,
      imports: [ConfigModule.forRoot({ ignoreEnvFile: true, skipProcessEnv: true, load: [() => loaded] })],
      providers: [
        {
          provide: CONFIGURATION,
          inject: [ConfigService],
          useFactory: (config: ConfigService<Loaded, true>): Configuration => config.get('service', { infer: true }),
        },
      ],
      exports: [CONFIGURATION],
    };
  }
}
