import { Module } from '@nestjs/common';
import { UserService } from './user.service';

/** The people and programs that use the service. How they prove who they are is the room `auth`. */
@Module({ providers: [UserService], exports: [UserService] })
export class UsersModule {}
