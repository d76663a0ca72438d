// Made from openapi.json by npm run clients:types.
export interface paths {
    "/api/user/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the token of this call may do, and what it has used today */
        get: operations["getToken"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller can spend; one call in 5 seconds */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/delegate-resource": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delegate energy to an address, 65,000 units for each transaction
         * @description What was answered is what happens to the money: a failure is never charged, a success exactly its cost, once. After a time-out, a 500 without X-Delegation-Id, or an answer that is neither a 200 with a txid nor has X-Error-Code (a gateway has given it), repeat the call with the same Idempotency-Key.
         */
        post: operations["delegateResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/delegations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's orders, newest first
         * @description An unknown query field is refused, so that a misspelt filter never shows other orders. With a final slash the path has an empty order id: 404.
         */
        get: operations["listDelegations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/delegations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One order of the caller */
        get: operations["getDelegation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/delegations/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proof of one order's delegation that needs no trust in this service or in any node
         * @description The transaction, its place in a block, and the signed headers that make the block final: docs/receipts.md says how to check it. As not found until the delegation is in a final block, and for an order whose delegation never got into one.
         */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chain/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an order would be and cost now, also sized for a TRC-20 transfer; it reserves and promises nothing
         * @description An unknown query field is refused, and so are `token` and `value` without `to`: no transfer would be sized.
         */
        get: operations["getQuote"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process runs */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether database, migrations and node allow an order now */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Token: {
            name: string;
            permissions: ("delegate" | "balance")[];
            /**
             * Format: date-time
             * @description null: never
             */
            expires_at: string | null;
            /**
             * Format: double
             * @description What its orders may cost together in a UTC day, by their list prices; null: no limit
             */
            daily_limit: number | null;
            /**
             * Format: double
             * @description The list prices of its orders of this UTC day, held or charged
             */
            used_today: number;
            /**
             * Format: double
             * @description The part of the daily limit that is left; null: no limit
             */
            remaining_today: number | null;
            /**
             * Format: double
             * @description What each order may cost; null: no limit
             */
            max_cost: number | null;
            /** @description The only addresses it may order for and look up; null: all */
            receivers: string[] | null;
            /** @description The only networks it may be used from; null: all */
            ips: string[] | null;
            /** @description Calls a minute, of all tokens of the account together */
            rate_limit_per_minute: number;
        };
        TokenResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Token"];
        };
        Balance: {
            /**
             * Format: double
             * @description What can be spent: the balance less holds
             */
            balance: number;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        BalanceResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Balance"];
        };
        DelegateRequest: {
            /**
             * @description Gets the energy
             * @example TWd4WrZ9wn84f5x1hZhL4DHvk738ns5jwb
             */
            receiver_address: string;
            /**
             * Format: double
             * @description Transactions whose energy is needed; fractions are allowed; past 40 digits rounded up
             * @example 1
             */
            amount: number;
            /**
             * @description Rental time in minutes. It changes no price, and the time of reclaim only where the operator says so; 10 when it is left out
             * @enum {integer|null}
             */
            time?: 10 | 1440 | null;
            /** @description Activate an inactive receiver for 1.5; not done when it is left out */
            activate_address?: boolean | null;
            /**
             * Format: double
             * @description An order that would cost more, activation included, is refused, with nothing held. Rounded to the nearest millionth
             */
            max_cost?: number | null;
        };
        DelegateResult: {
            /** @description Always true */
            success: boolean;
            /** @description Always 委托成功 */
            message: string;
            /** @description The delegation on the chain */
            txid: string;
            /**
             * Format: double
             * @description In variant B always, in variant A never: what is charged, 0 when quota pays
             */
            cost?: number;
        };
        /** @enum {string} */
        OrderState: "pending" | "activating" | "sent" | "included" | "delegated" | "reclaiming" | "reclaimed" | "failed" | "taking_back" | "taken_back";
        /**
         * @description What the caller was given
         * @enum {string}
         */
        OrderAnswer: "none" | "success" | "failure";
        /** @enum {string} */
        Payer: "subscription" | "balance";
        Order: {
            /** Format: uuid */
            id: string;
            state: components["schemas"]["OrderState"];
            /** @description What the caller was given */
            answer: components["schemas"]["OrderAnswer"];
            receiver_address: string;
            /**
             * Format: double
             * @description Transactions whose energy was asked for
             */
            amount: number;
            /**
             * Format: int64
             * @description Units of energy
             */
            energy: number;
            /**
             * @description Rental time in minutes, as asked for
             * @enum {integer}
             */
            time: 10 | 1440;
            /**
             * Format: double
             * @description What it costs, or cost: 0 for an order that failed
             */
            cost: number;
            paid_by: components["schemas"]["Payer"];
            /** @description The delegation */
            txid: string | null;
            /** @description Activates the receiver, where that was needed */
            activation_txid: string | null;
            /** @description What took the energy back */
            reclaim_txid: string | null;
            idempotency_key: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            answered_at: string | null;
            /**
             * Format: date-time
             * @description Time of its block
             */
            delegated_at: string | null;
            /** Format: date-time */
            reclaim_due_at: string | null;
            /** Format: date-time */
            reclaimed_at: string | null;
        };
        OrderPage: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Order"][];
            /**
             * Format: uuid
             * @description `before` of the next page; null at the end
             */
            next_before: string | null;
        };
        OrderResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Order"];
        };
        ReceiptBranchStep: {
            /**
             * @description Where the hash stands beside what was computed so far
             * @enum {string}
             */
            side: "left" | "right";
            hash: string;
        };
        ReceiptPostQuantumSignature: {
            /** @description FN_DSA_512, or one that `receipt:verify` names and does not verify */
            scheme: string;
            /** @description The last 20 bytes of its Keccak-256 behind 41 are the signing address */
            public_key: string;
            /** @description Signature of the bytes' SHA-256 */
            signature: string;
        };
        /** @description With `signature` or `pq_auth_sig` */
        ReceiptHeader: {
            /** @description protocol.BlockHeader.raw */
            bytes: string;
            /** @description The witness's signature of the bytes' SHA-256: r, s and v, which is 0 or 1 */
            signature?: string;
            /** @description From a witness with a post-quantum key */
            pq_auth_sig?: components["schemas"]["ReceiptPostQuantumSignature"];
        };
        ReceiptWitness: {
            address: string;
            /** @description Active: makes blocks */
            isJobs: boolean;
            /** @description Address of the key that it signs blocks with */
            signing_address: string;
        };
        Receipt: {
            txid: string;
            receiver_address: string;
            /**
             * Format: double
             * @description TRX whose energy was delegated
             */
            stake: number;
            /** Format: int64 */
            block_number: number;
            block_id: string;
            /** Format: date-time */
            block_time: string;
            /** @description protocol.Transaction as the block has it, with signature and result */
            transaction: string;
            /** @description From the transaction's hash up to the block's root */
            branch: components["schemas"]["ReceiptBranchStep"][];
            /** @description Header of the block */
            header: components["schemas"]["ReceiptHeader"];
            /** @description Headers of the blocks above it until 19 of 27 witnesses have built on it */
            following: components["schemas"]["ReceiptHeader"][];
            /** @description The active ones of that time */
            witnesses: components["schemas"]["ReceiptWitness"][];
        };
        ReceiptResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Receipt"];
        };
        QuotedTransfer: {
            /**
             * Format: int64
             * @description Energy that the transfer takes, the penalty included
             */
            energy: number;
            /**
             * Format: int64
             * @description What of it is due to the token being used so much
             */
            penalty: number;
            /** @description Whether the node says that the transfer would succeed now */
            succeeds: boolean;
        };
        Quote: {
            receiver_address: string;
            /** @description The receiver exists on chain */
            activated: boolean;
            /** @description The receiver is a contract, to which nothing can be delegated */
            contract: boolean;
            /**
             * Format: int64
             * @description Energy that the receiver could use now
             */
            energy_available: number;
            /**
             * Format: int64
             * @description Energy of an order of this amount; at most 9223372036854775807, which no wallet has
             */
            energy: number;
            /**
             * Format: double
             * @description Transactions to order, in thousandths; 0 when nothing is missing
             */
            amount: number;
            /**
             * Format: double
             * @description What the order would be charged now, without the activation
             */
            cost: number;
            /**
             * Format: double
             * @description The charge on top for the activation of the receiver
             */
            activation_cost: number;
            /** @description null: neither would do */
            paid_by: components["schemas"]["Payer"] | null;
            /** @description Quota or balance covers it, the activation included, within the limits of the token */
            payable: boolean;
            /** @description One wallet could lend it now */
            available: boolean;
            /**
             * Format: double
             * @description The largest amount that one wallet could lend now
             */
            largest_amount: number;
            /**
             * Format: double
             * @description What the transfer would burn if nothing were ordered, at the chain's present price
             */
            burn_cost: number;
            /** @description Only with `to` */
            transfer?: components["schemas"]["QuotedTransfer"];
            /** Format: date-time */
            quoted_at: string;
        };
        QuoteResult: {
            /** @description Always true */
            success: boolean;
            data: components["schemas"]["Quote"];
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
        };
        ReadinessChecks: {
            /** @enum {string} */
            database: "ok" | "failed";
            /** @enum {string} */
            migrations: "ok" | "failed";
            /** @enum {string} */
            node: "ok" | "failed";
        };
        Readiness: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            checks: components["schemas"]["ReadinessChecks"];
            /** @description Why the chain or the database is not to be gone by */
            reason?: string;
        };
        /** @description The body of every failure. Its reason for programs is in X-Error-Code. */
        Error: {
            /** @description Always false */
            success: boolean;
            /** @description A fixed sentence of the contract */
            error: string;
            /** @description With status 400: what is wrong with each field, in English */
            details?: {
                [key: string]: string[];
            };
            /**
             * Format: double
             * @description On the delegate route in variant B: always 0, a failure is never charged
             */
            cost?: number;
        };
    };
    responses: {
        /** @description 请求的资源不存在 */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description The reason, for programs */
                "X-Error-Code": "NOT_FOUND";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 请求方法不被允许 */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description The reason, for programs */
                "X-Error-Code": "METHOD_NOT_ALLOWED";
                /** @description The methods that the path has */
                Allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 参数验证失败 */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                /** @description The reason, for programs */
                "X-Error-Code": "MALFORMED_BODY";
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Comes back on the answer and names the call in the logs of the service */
        "X-Request-Id": string;
        /** @description New for each order, the same for each repeat of it: a repeat gets the first answer instead of a second order. Always send one, without commas. Lines of the header, or its parts between commas, that are all equal are that one value; lines that differ are refused; one line with different parts is a key as it stands */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: {
        /** @description Names this call in the logs of the service: the one that was sent, if it was a plain one, else a new one */
        "X-Request-Id": string;
        /** @description The order, for GET /api/chain/delegations/{id} */
        "X-Delegation-Id": string;
        /** @description `included`: the delegation is in a block. `accepted`: the block took longer, look the order up */
        "X-Delegation-State": "included" | "accepted";
        /** @description Calls that the window allows; of several limits, the one with the fewest calls left */
        "RateLimit-Limit": number;
        /** @description Calls left in the window */
        "RateLimit-Remaining": number;
        /** @description Seconds until the window ends */
        "RateLimit-Reset": number;
        /** @description Seconds after which the call may be tried again */
        "Retry-After": number;
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token of this call */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResult"];
                };
            };
            /** @description 参数验证失败 */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "VALIDATION_FAILED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请稍后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 服务器内部错误,请稍后再试 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance less holds */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceResult"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请5秒后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 获取余额失败: 服务器内部错误 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    delegateResource: {
        parameters: {
            query?: never;
            header?: {
                /** @description New for each order, the same for each repeat of it: a repeat gets the first answer instead of a second order. Always send one, without commas. Lines of the header, or its parts between commas, that are all equal are that one value; lines that differ are refused; one line with different parts is a key as it stands */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DelegateRequest"];
            };
        };
        responses: {
            /** @description Delegated */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Delegation-Id": components["headers"]["X-Delegation-Id"];
                    "X-Delegation-State": components["headers"]["X-Delegation-State"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DelegateResult"];
                };
            };
            /** @description 参数验证失败 */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "VALIDATION_FAILED" | "RECEIVER_NOT_ACTIVATED" | "RECEIVER_IS_CONTRACT" | "RECEIVER_NOT_ALLOWED" | "COST_ABOVE_MAX" | "MALFORMED_BODY" | "UNSUPPORTED_MEDIA_TYPE" | "BODY_TOO_LARGE" | "IDEMPOTENCY_KEY_INVALID" | "IDEMPOTENCY_KEY_REUSED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请稍后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 服务器内部错误,请稍后再试 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "ACTIVATION_UNAVAILABLE" | "NODE_UNAVAILABLE" | "OUTCOME_UNKNOWN" | "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    /** @description The order, for GET /api/chain/delegations/{id}. Sent once there is an order */
                    "X-Delegation-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 余额不足,请先充值 · 能量不足,请稍后再试 */
            501: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "INSUFFICIENT_BALANCE" | "TOKEN_LIMIT_REACHED" | "INSUFFICIENT_ENERGY" | "PAUSED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    /** @description The order, for GET /api/chain/delegations/{id}. Sent once there is an order */
                    "X-Delegation-Id"?: string;
                    /** @description Seconds after which the call may be tried again. Sent with INSUFFICIENT_ENERGY, PAUSED */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDelegations: {
        parameters: {
            query?: {
                txid?: string;
                idempotency_key?: string;
                state?: components["schemas"]["OrderState"];
                receiver_address?: string;
                /** @description Orders older than this one */
                before?: string;
                /** @description 20 when it is left out */
                limit?: number;
            };
            header?: {
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
            /** @description 参数验证失败 */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "VALIDATION_FAILED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求的资源不存在 */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "NOT_FOUND";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请稍后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 服务器内部错误,请稍后再试 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDelegation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResult"];
                };
            };
            /** @description 参数验证失败 */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "VALIDATION_FAILED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求的资源不存在 */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "NOT_FOUND";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请稍后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 服务器内部错误,请稍后再试 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptResult"];
                };
            };
            /** @description 参数验证失败 */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "VALIDATION_FAILED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求的资源不存在 */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "NOT_FOUND";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请稍后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 服务器内部错误,请稍后再试 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getQuote: {
        parameters: {
            query: {
                /** @description Gets the energy */
                receiver_address: string;
                /** @description Transactions whose energy is needed; without it what the transfer takes, else 1 */
                amount?: number;
                /** @description Recipient of a TRC-20 transfer that the receiver will send */
                to?: string;
                /** @description The transfer's token; the network's USDT by itself */
                token?: string;
                /** @description The transfer's amount in the token's smallest units, 1 when it is left out */
                value?: string;
                /** @description 1 or true: what the receiver has already is taken off; energy that it has used above its present limit is added */
                only_missing?: "0" | "1" | "false" | "true";
            };
            header?: {
                /** @description Comes back on the answer and names the call in the logs of the service */
                "X-Request-Id"?: components["parameters"]["X-Request-Id"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the order would be and cost now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteResult"];
                };
            };
            /** @description 参数验证失败 */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "VALIDATION_FAILED" | "RECEIVER_NOT_ALLOWED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 用户未登录 · 令牌权限不足 */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "UNAUTHENTICATED" | "PERMISSION_DENIED";
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 请求过于频繁,请稍后再试 */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "RATE_LIMITED";
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description 服务器内部错误,请稍后再试 */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "NODE_UNAVAILABLE" | "INTERNAL";
                    /** @description Calls that the window allows; of several limits, the one with the fewest calls left. Sent when the call was counted */
                    "RateLimit-Limit"?: number;
                    /** @description Calls left in the window. Sent when the call was counted */
                    "RateLimit-Remaining"?: number;
                    /** @description Seconds until the window ends. Sent when the call was counted */
                    "RateLimit-Reset"?: number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They do */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description They do not; `checks` says which */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The reason, for programs */
                    "X-Error-Code": "NODE_UNAVAILABLE" | "INTERNAL";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
