"""Uses the stock SDKs of the model vendors, and prints what each feature returned.

Input: one JSON object with `urls` and `keys` by vendor, `models`, `names` of requests, the
texts of requests to leave (`left`) and `pixel`.
Output: one JSON object with an observation for each feature. An error that an SDK raises is an
observation with its class, status and message.
"""

import base64
import json
import sys

import anthropic
import openai
from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool, set_tracing_disabled
from google import genai
from google.genai import types

WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
ASK = "Ask get_weather for city=Paris"
STREAMED = "héllo 世界 🙂 [[sim: chunks=20]]"

given = json.load(sys.stdin)
urls, keys, models, names, left = (given[name] for name in ("urls", "keys", "models", "names", "left"))


def connect_openai(key=keys["openai"], retries=0):
    return openai.OpenAI(base_url=urls["openai"] + "/v1", api_key=key, max_retries=retries)


def connect_anthropic(key=keys["anthropic"], retries=0):
    return anthropic.Anthropic(base_url=urls["anthropic"], api_key=key, max_retries=retries)


def connect_google(key=keys["google"], attempts=1):
    retry = types.HttpRetryOptions(attempts=attempts, initial_delay=0.1)
    options = types.HttpOptions(base_url=urls["google"], retry_options=retry)
    return genai.Client(api_key=key, http_options=options)


def observe(feature):
    try:
        return feature()
    except Exception as error:
        status = getattr(error, "status_code", None) or getattr(error, "code", None)
        return {"error": type(error).__name__, "status": status, "message": str(error)}


def chat(content, client=None, **options):
    messages = content if isinstance(content, list) else [{"role": "user", "content": content}]
    options.setdefault("model", models["openai"])
    return (client or connect_openai()).chat.completions.create(messages=messages, **options)


def openai_plain():
    completion = chat("hello [[sim: input=100 cached=40]]")
    cached = completion.usage.prompt_tokens_details.cached_tokens
    return [completion.choices[0].message.content, completion.usage.prompt_tokens, cached]


def openai_stream():
    chunks = list(chat(STREAMED, stream=True, stream_options={"include_usage": True}))
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    return [text, [chunk.usage.completion_tokens for chunk in chunks if chunk.usage]]


def openai_tools():
    tools = [{"type": "function", "function": {"name": "get_weather", "parameters": WEATHER}}]
    message = chat(ASK, tools=tools).choices[0].message
    call = message.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": "sun in Paris"}
    history = [{"role": "user", "content": ASK}, message, result]
    return [call.function.arguments, chat(history, tools=tools).choices[0].message.content]


def openai_image():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + given["pixel"]}}
    return chat([{"role": "user", "content": [{"type": "text", "text": "look"}, image]}]).choices[0].message.content


def openai_retry():
    text = f"a [[sim: name={names['openai_retry']} fault=status:429 retry_after=1 times=2]]"
    return chat(text, connect_openai(retries=2)).choices[0].message.content


def openai_cancel():
    with chat("a " + left["openai"], stream=True) as stream:
        chunks = (chunk for chunk in stream if chunk.choices)
        return [next(chunks).choices[0].index for _ in range(3)]


def openai_responses():
    with connect_openai().responses.stream(model=models["openai"], input="hello") as stream:
        count = sum(event.type == "response.output_text.delta" for event in stream)
        final = stream.get_final_response()
        return [count, final.output_text, final.usage.output_tokens]


def openai_embeddings():
    response = connect_openai().embeddings.create(model=models["embedding"], input=["one", "two"])
    return [[len(one.embedding) for one in response.data], response.usage.prompt_tokens]


def openai_models():
    client = connect_openai()
    return [models["openai"] in [one.id for one in client.models.list()], client.models.retrieve(models["openai"]).id]


def openai_agent():
    """A loop of the openai-agents framework: call, tool, answer."""
    set_tracing_disabled(True)

    @function_tool
    def get_weather(city: str) -> str:
        """The weather of a city"""
        return f"sun in {city}"

    client = openai.AsyncOpenAI(base_url=urls["openai"] + "/v1", api_key=keys["openai"])
    model = OpenAIChatCompletionsModel(model=models["openai"], openai_client=client)
    agent = Agent(name="weather", instructions="Answer.", model=model, tools=[get_weather])
    result = Runner.run_sync(agent, ASK, run_config=RunConfig(tracing_disabled=True))
    return result.final_output


def message(content, client=None, **options):
    messages = content if isinstance(content, list) else [{"role": "user", "content": content}]
    options = {"model": models["anthropic"], "max_tokens": 2000, **options}
    return (client or connect_anthropic()).messages.create(messages=messages, **options)


def anthropic_plain():
    answer = message("hello [[sim: input=100 cached=40 cache_write=10]]")
    usage = answer.usage
    return [answer.content[0].text, usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens]


def anthropic_stream():
    messages = [{"role": "user", "content": STREAMED}]
    with connect_anthropic().messages.stream(model=models["anthropic"], max_tokens=2000, messages=messages) as stream:
        text = "".join(stream.text_stream)
        return [text, stream.get_final_message().usage.output_tokens]


def anthropic_tools():
    tools = [{"name": "get_weather", "input_schema": WEATHER}]
    answer = message(ASK, tools=tools)
    call = answer.content[0]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sun in Paris"}
    history = [
        {"role": "user", "content": ASK},
        {"role": "assistant", "content": answer.content},
        {"role": "user", "content": [result]},
    ]
    return [call.input, answer.stop_reason, message(history, tools=tools).content[0].text]


def anthropic_image():
    source = {"type": "base64", "media_type": "image/png", "data": given["pixel"]}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "look"}]
    return message([{"role": "user", "content": content}]).content[0].text


def anthropic_retry():
    text = f"a [[sim: name={names['anthropic_retry']} fault=status:529 retry_after=1 times=2]]"
    return message(text, connect_anthropic(retries=2)).content[0].text


def anthropic_cancel():
    text = "a " + left["anthropic"]
    with message(text, stream=True) as stream:
        return [next(stream).type for _ in range(2)]


def anthropic_count():
    messages = [{"role": "user", "content": "hello [[sim: input=123]]"}]
    return connect_anthropic().messages.count_tokens(model=models["anthropic"], messages=messages).input_tokens


def anthropic_models():
    client = connect_anthropic()
    listed = models["anthropic"] in [one.id for one in client.models.list()]
    return [listed, client.models.retrieve(models["anthropic"]).id]


def generate(contents, client=None, model=None, **config):
    # A client without a reference closes its connections.
    client = client or connect_google()
    return client.models.generate_content(
        model=model or models["google"],
        contents=contents,
        config=types.GenerateContentConfig(**config),
    )


def google_plain():
    response = generate("hello [[sim: input=100 cached=40]]")
    usage = response.usage_metadata
    return [response.text, usage.prompt_token_count, usage.cached_content_token_count, usage.total_token_count]


def google_stream():
    client = connect_google()
    chunks = list(client.models.generate_content_stream(model=models["google"], contents=STREAMED))
    return ["".join(chunk.text or "" for chunk in chunks), chunks[-1].usage_metadata.candidates_token_count]


def google_tools():
    """The SDK calls the function itself and sends its result."""

    def get_weather(city: str) -> str:
        """The weather of a city"""
        return f"sun in {city}"

    return generate(ASK, tools=[get_weather]).text


def google_image():
    image = types.Part.from_bytes(data=base64.b64decode(given["pixel"]), mime_type="image/png")
    return generate(["look", image]).text


def google_retry():
    text = f"a [[sim: name={names['google_retry']} fault=status:429 times=2]]"
    return generate(text, connect_google(attempts=3)).text


def google_cancel():
    contents = "a " + left["google"]
    client = connect_google()
    stream = client.models.generate_content_stream(model=models["google"], contents=contents)
    texts = [next(stream).text for _ in range(3)]
    stream.close()
    client.close()
    return len(texts)


def google_count():
    client = connect_google()
    return client.models.count_tokens(model=models["google"], contents="hello [[sim: input=123]]").total_tokens


def google_embeddings():
    client = connect_google()
    response = client.models.embed_content(model=models["googleEmbedding"], contents=["one", "two"])
    return [len(one.values) for one in response.embeddings]


def google_models():
    client = connect_google()
    listed = "models/" + models["google"] in [one.name for one in client.models.list()]
    return [listed, client.models.get(model=models["google"]).name]


FEATURES = {
    "openai_plain": openai_plain,
    "openai_stream": openai_stream,
    "openai_tools": openai_tools,
    "openai_image": openai_image,
    "openai_retry": openai_retry,
    "openai_cancel": openai_cancel,
    "openai_responses": openai_responses,
    "openai_embeddings": openai_embeddings,
    "openai_models": openai_models,
    "openai_agent": openai_agent,
    "openai_error": lambda: chat("a [[sim: fault=status:429]]"),
    "openai_unknown_model": lambda: chat("a", model="gpt-none"),
    "openai_wrong_key": lambda: chat("a", connect_openai("sk-wrong")),
    "openai_stream_error": lambda: list(chat("a [[sim: fault=error_event:2]]", stream=True)),
    "anthropic_plain": anthropic_plain,
    "anthropic_stream": anthropic_stream,
    "anthropic_tools": anthropic_tools,
    "anthropic_image": anthropic_image,
    "anthropic_retry": anthropic_retry,
    "anthropic_cancel": anthropic_cancel,
    "anthropic_count": anthropic_count,
    "anthropic_models": anthropic_models,
    "anthropic_error": lambda: message("a [[sim: fault=status:529]]"),
    "anthropic_unknown_model": lambda: message("a", model="claude-none"),
    "anthropic_wrong_key": lambda: message("a", connect_anthropic("sk-wrong")),
    "anthropic_stream_error": lambda: list(message("a [[sim: fault=error_event:3]]", stream=True)),
    "google_plain": google_plain,
    "google_stream": google_stream,
    "google_tools": google_tools,
    "google_image": google_image,
    "google_retry": google_retry,
    "google_cancel": google_cancel,
    "google_count": google_count,
    "google_embeddings": google_embeddings,
    "google_models": google_models,
    "google_error": lambda: generate("a [[sim: fault=status:429]]"),
    "google_unknown_model": lambda: generate("a", model="gemini-none"),
    "google_wrong_key": lambda: generate("a", connect_google("wrong")),
}

print(json.dumps({name: observe(feature) for name, feature in FEATURES.items()}))
