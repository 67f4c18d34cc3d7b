# One server process. Alone it keeps its own store in /data; with REDIS_URL any number of them share one.
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/kupa && python -m venv /opt/compile
WORKDIR /src
# the packages change less often than the game: a layer of their own
COPY requirements.lock requirements-compile.lock ./
RUN /opt/kupa/bin/pip install --no-cache-dir --disable-pip-version-check \
      --require-hashes --only-binary :all: -r requirements.lock
RUN /opt/compile/bin/pip install --no-cache-dir --disable-pip-version-check \
      --require-hashes --only-binary :all: -r requirements-compile.lock
COPY . ./
# the modules every move goes through become machine code (setup.py); the compiler stays in this stage
RUN KUPA_COMPILED=1 /opt/compile/bin/pip wheel --no-cache-dir --disable-pip-version-check \
      --no-deps --no-build-isolation --no-index --wheel-dir /wheel . \
 && /opt/kupa/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-index /wheel/*.whl

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin kupa \
 && install -d -o kupa -g kupa /data /backups
COPY --from=build /opt/kupa /opt/kupa
ENV PATH=/opt/kupa/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 KUPA_DATA=/data
USER kupa
WORKDIR /data
EXPOSE 8000
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=3)"]
ENTRYPOINT ["kupa"]
CMD ["serve"]
